import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import type { Slideshow } from '../use-slideshow.ts'
import { toggleFullScreen } from '../full-screen.ts'
import styles from '../floating-bar.module.css'

interface ZoomBarProps {
  /** Against the size in which the picture fits. */
  readonly zoom: number
  /** Against the points of the file. */
  readonly ofOriginal: number
  readonly onStep: (notches: number) => void
  readonly onReset: () => void
  readonly onTurn: () => void
  /** Whether the file itself is shown; undefined where there is no choice. */
  readonly original: boolean | undefined
  readonly refining: boolean
  readonly onOriginal: () => void
  readonly slideshow: Slideshow
}

/** Below a picture: how large it is, and how it is turned. */
export function ZoomBar(props: ZoomBarProps) {
  const { zoom, ofOriginal, onStep, onReset, onTurn, original, refining, onOriginal, slideshow } = props
  const t = useText()
  const format = useFormat()
  const level = zoom === 1 ? t('viewer.fitted') : format.percent(ofOriginal)
  return (
    <Toolbar label={t('viewer.zoom')} className={styles['bar']}>
      <IconButton icon="zoom-out" label={t('viewer.zoomOut')} onClick={() => onStep(-1)} />
      <button type="button" className={styles['level']} title={t('viewer.fitted')} onClick={onReset}>
        <output aria-label={t('viewer.zoomLevel')}>{level}</output>
      </button>
      <IconButton icon="zoom-in" label={t('viewer.zoomIn')} onClick={() => onStep(1)} />
      <IconButton icon="rotate" label={t('viewer.rotate')} onClick={onTurn} />
      {original !== undefined && (
        <button
          type="button"
          className={styles['level']}
          aria-label={t('viewer.original')}
          data-tooltip={t('viewer.original')}
          aria-pressed={original}
          aria-busy={refining}
          onClick={onOriginal}
        >
          {t('viewer.hd')}
        </button>
      )}
      <IconButton className="only-wide" icon="expand" label={t('viewer.fullScreen')} onClick={toggleFullScreen} />
      <IconButton
        className="only-wide"
        icon={slideshow.playing ? 'pause' : 'play'}
        label={t('viewer.slideshow')}
        pressed={slideshow.playing}
        onClick={slideshow.toggle}
      />
    </Toolbar>
  )
}
