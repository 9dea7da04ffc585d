import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import styles from '../floating-bar.module.css'

interface PdfBarProps {
  readonly page: number
  readonly count: number
  /** Against the width of the view. */
  readonly zoom: number
  readonly onPage: (page: number) => void
  readonly onZoom: (zoom: number) => void
}

/** How much a press of a zoom button changes. */
export const ZOOM_STEP = 1.25

/** Below a document: which page is shown, and how large. */
export function PdfBar({ page, count, zoom, onPage, onZoom }: PdfBarProps) {
  const t = useText()
  const format = useFormat()
  return (
    <Toolbar label={t('viewer.zoom')} className={styles['bar']}>
      <IconButton icon="up" label={t('viewer.pageBack')} disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <output className={styles['place']}>{t('viewer.pdfPlace', { page, count })}</output>
      <IconButton icon="down" label={t('viewer.pageOn')} disabled={page >= count} onClick={() => onPage(page + 1)} />
      <IconButton icon="zoom-out" label={t('viewer.zoomOut')} onClick={() => onZoom(zoom / ZOOM_STEP)} />
      <button type="button" className={styles['level']} title={t('viewer.fitted')} onClick={() => onZoom(1)}>
        <output aria-label={t('viewer.zoomLevel')}>{zoom === 1 ? t('viewer.fitted') : format.percent(zoom)}</output>
      </button>
      <IconButton icon="zoom-in" label={t('viewer.zoomIn')} onClick={() => onZoom(zoom * ZOOM_STEP)} />
    </Toolbar>
  )
}
