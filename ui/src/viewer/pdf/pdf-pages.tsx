import { useVirtualizer } from '@tanstack/react-virtual'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { useFileUrls } from '../file/file-source.ts'
import { NoPreview, StageNote, Waiting } from '../placeholders.tsx'
import { useElementSize } from '../use-element-size.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import bar from '../controls/floating-bar.module.css'
import { usePdf } from './open-pdf.ts'
import { type PageSize, PdfPage } from './pdf-page.tsx'
import styles from './pdf.module.css'

const GAP = 12
/** A4 in points, until the first page is loaded. */
const DEFAULT_SIZE: PageSize = { width: 595, height: 842 }
const MAX_ZOOM = 8
/** A page fitted to a wide window would show only a few lines. */
const MAX_FITTED_SCALE = 2

/** A PDF drawn by PDF.js, for browsers without a PDF viewer, as on phones. */
export function PdfPages(viewed: ViewedFile) {
  const { file, path, onDamaged } = viewed
  const t = useText()
  const state = usePdf(useFileUrls().raw(path))
  const { status } = state
  useEffect(() => {
    if (status === 'damaged') onDamaged()
  }, [status, onDamaged])
  if (status === 'failed') throw state.error
  if (status === 'locked') return <StageNote title={t('viewer.pdfLocked')}>{t('viewer.noPreview')}</StageNote>
  if (status === 'damaged') return <NoPreview {...viewed} />
  return status === 'open' ? <Pages key={path} pages={state.pages} label={file.name} /> : <Waiting />
}

/** All pages in one column; only visible ones are drawn. */
function Pages({ pages, label }: { readonly pages: PDFDocumentProxy; readonly label: string }) {
  const t = useText()
  const scroll = useRef<HTMLDivElement>(null)
  const { width, height } = useElementSize(scroll)
  const [sizes, setSizes] = useState<readonly (PageSize | undefined)[]>([])
  const [zoom, setZoom] = useState(1)
  const first = sizes.find((size) => size !== undefined) ?? DEFAULT_SIZE
  const fitted = Math.min(MAX_FITTED_SCALE, Math.max(0.1, (width - 2 * GAP) / first.width))
  const scale = fitted * zoom
  const sizeOf = (index: number): PageSize => sizes[index] ?? first
  const rows = useVirtualizer({
    count: pages.numPages,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => sizeOf(index).height * scale,
    gap: GAP,
    overscan: 1,
    paddingStart: GAP,
    paddingEnd: 96,
  })
  const onSize = useCallback((number: number, size: PageSize) => {
    setSizes((before) => {
      const known = before[number - 1]
      return known?.width === size.width && known.height === size.height ? before : replaced(before, number - 1, size)
    })
  }, [])
  useScrollAnchor(scroll, scale, () => rows.measure())
  useEffect(() => rows.measure(), [rows, sizes])
  const changeZoom = (factor: number): void => setZoom(Math.min(MAX_ZOOM, Math.max(1 / MAX_ZOOM, factor)))
  useShortcuts([
    { keys: '+', label: t('viewer.zoomIn'), group: 'act', run: () => changeZoom(zoom * ZOOM_STEP) },
    { keys: '=', label: t('viewer.zoomIn'), group: 'act', run: () => changeZoom(zoom * ZOOM_STEP) },
    { keys: '-', label: t('viewer.zoomOut'), group: 'act', run: () => changeZoom(zoom / ZOOM_STEP) },
    { keys: '0', label: t('viewer.fitted'), group: 'act', run: () => changeZoom(1) },
  ])
  const shown = rows.getVirtualItems()
  const middle = (rows.scrollOffset ?? 0) + height / 2
  const page = (shown.findLast(({ start }) => start <= middle)?.index ?? 0) + 1
  const widest = Math.max(...shown.map(({ index }) => sizeOf(index).width * scale), 0)
  return (
    <>
      <div ref={scroll} className={styles['pages']} role="document" aria-label={label} tabIndex={0}>
        <div style={{ blockSize: rows.getTotalSize(), minInlineSize: widest + 2 * GAP }}>
          {width > 0 &&
            shown.map(({ index, start }) => (
              <div key={index} className={styles['row']} style={{ transform: `translateY(${start}px)` }}>
                <PdfPage
                  pages={pages}
                  number={index + 1}
                  scale={scale}
                  size={sizeOf(index)}
                  label={t('viewer.pdfPosition', { page: index + 1, count: pages.numPages })}
                  onSize={onSize}
                />
              </div>
            ))}
        </div>
      </div>
      <PdfBar
        page={page}
        count={pages.numPages}
        zoom={zoom}
        onPage={(number) => rows.scrollToIndex(number - 1, { align: 'start' })}
        onZoom={changeZoom}
      />
    </>
  )
}

function replaced(sizes: readonly (PageSize | undefined)[], index: number, size: PageSize): (PageSize | undefined)[] {
  const changed = [...sizes]
  changed[index] = size
  return changed
}

/** Keeps the same part of the document in view when the zoom changes. */
function useScrollAnchor(scroll: { readonly current: HTMLElement | null }, scale: number, measure: () => void): void {
  const before = useRef(scale)
  useLayoutEffect(() => {
    const element = scroll.current
    const factor = scale / before.current
    before.current = scale
    if (element === null || factor === 1) return
    measure()
    element.scrollTop *= factor
    element.scrollLeft *= factor
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `measure` changes with every render
  }, [scroll, scale])
}

interface PdfBarProps {
  readonly page: number
  readonly count: number
  /** Relative to the size that fits the width of the window. */
  readonly zoom: number
  readonly onPage: (page: number) => void
  readonly onZoom: (zoom: number) => void
}

/** Factor of one press of a zoom button. */
const ZOOM_STEP = 1.25

/** The toolbar below a document: page and zoom. */
function PdfBar({ page, count, zoom, onPage, onZoom }: PdfBarProps) {
  const t = useText()
  const format = useFormat()
  return (
    <Toolbar label={t('viewer.zoom')} className={bar['bar']}>
      <IconButton icon="up" label={t('viewer.previousPage')} disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <output className={bar['place']}>{t('viewer.pdfPosition', { page, count })}</output>
      <IconButton icon="down" label={t('viewer.nextPage')} disabled={page >= count} onClick={() => onPage(page + 1)} />
      <IconButton icon="zoom-out" label={t('viewer.zoomOut')} onClick={() => onZoom(zoom / ZOOM_STEP)} />
      <button type="button" className={bar['level']} title={t('viewer.fitted')} onClick={() => onZoom(1)}>
        <output aria-label={t('viewer.zoomLevel')}>{zoom === 1 ? t('viewer.fitted') : format.percent(zoom)}</output>
      </button>
      <IconButton icon="zoom-in" label={t('viewer.zoomIn')} onClick={() => onZoom(zoom * ZOOM_STEP)} />
    </Toolbar>
  )
}
