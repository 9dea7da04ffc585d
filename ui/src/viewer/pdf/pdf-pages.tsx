import { useVirtualizer } from '@tanstack/react-virtual'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useBox } from '../image/use-box.ts'
import { NoPreview } from '../no-preview.tsx'
import { StageNote } from '../stage-note.tsx'
import { useFileUrls } from '../use-file-urls.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { Waiting } from '../waiting.tsx'
import { PdfBar, ZOOM_STEP } from './pdf-bar.tsx'
import { type PageSize, PdfPage } from './pdf-page.tsx'
import styles from './pdf-pages.module.css'
import { usePdf } from './use-pdf.ts'

const GAP = 12
/** Until the first page has told its size: A4. */
const USUAL: PageSize = { width: 595, height: 842 }
const LARGEST = 8
/** A page that is fitted into a wide window would show three lines. */
const LARGEST_FITTED = 2

/** A PDF drawn by the page itself, for browsers without a viewer of their own, as on phones. */
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

/** All pages beneath each other, of which only those that are seen are drawn. */
function Pages({ pages, label }: { readonly pages: PDFDocumentProxy; readonly label: string }) {
  const t = useText()
  const scroll = useRef<HTMLDivElement>(null)
  const { width, height } = useBox(scroll)
  const [sizes, setSizes] = useState<readonly (PageSize | undefined)[]>([])
  const [zoom, setZoom] = useState(1)
  const first = sizes.find((size) => size !== undefined) ?? USUAL
  const fitted = Math.min(LARGEST_FITTED, Math.max(0.1, (width - 2 * GAP) / first.width))
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
  useKeptPlace(scroll, scale, () => rows.measure())
  useEffect(() => rows.measure(), [rows, sizes])
  const changeZoom = (wanted: number): void => setZoom(Math.min(LARGEST, Math.max(1 / LARGEST, wanted)))
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
                  label={t('viewer.pdfPlace', { page: index + 1, count: pages.numPages })}
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

/** What was in view stays in view when everything grows or shrinks. */
function useKeptPlace(scroll: { readonly current: HTMLElement | null }, scale: number, measure: () => void): void {
  const before = useRef(scale)
  useLayoutEffect(() => {
    const element = scroll.current
    const factor = scale / before.current
    before.current = scale
    if (element === null || factor === 1) return
    measure()
    element.scrollTop *= factor
    element.scrollLeft *= factor
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `measure` is another one with every drawing
  }, [scroll, scale])
}
