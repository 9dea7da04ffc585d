import { useEffect, useRef, useState } from 'react'
import { useConfig } from '../../api/page-config.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { classNames } from '../../lib/class-names.ts'
import { useDetails, useFileUrls } from '../file/file-source.ts'
import { Waiting } from '../placeholders.tsx'
import { useElementSize } from '../use-element-size.ts'
import { toggleFullScreen } from '../controls/use-viewer-keys.ts'
import { isVectorImage, needsServerPicture } from '../file/view-kind.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import bar from '../controls/floating-bar.module.css'
import { canBeResized, pictureSources, usePicture } from './pictures.ts'
import type { Slideshow } from './use-slideshow.ts'
import { useZoom } from './use-zoom.ts'
import { fitInto, largestScaleOf, type Dimensions, type Stage, turned } from './zoom.ts'
import styles from './image-stage.module.css'

/** A picture that can be zoomed, moved and turned. */
export function ImageStage({ file, path, slideshow, onStep, onDamaged }: ViewedFile) {
  const t = useText()
  const urls = useFileUrls()
  const resizedFirst = useConfig().ResizePreview
  const mayChoose = resizedFirst && canBeResized(file) && !needsServerPicture(file.name)
  const [original, setOriginal] = useState(!mayChoose)
  const [quarterTurns, setQuarterTurns] = useState(0)
  const element = useRef<HTMLDivElement>(null)
  const box = useElementSize(element)
  const resolution = useDetails(path, file).data?.resolution
  const state = usePicture(pictureSources(urls, path, file, original))
  const shown = state.kind === 'shown' ? state.picture : null
  const whole = turned(largerOf(shown?.dimensions, resolution), quarterTurns)
  const fitted = fitInto(whole, box, isVectorImage(file.name))
  const stage: Stage = { box, fitted, largestScale: largestScaleOf(whole, fitted) }
  const { zoom, swipe, grabbed, step, reset } = useZoom({ element, stage, onSwipe: onStep })
  const turn = (): void => {
    setQuarterTurns((before) => before + 1)
    reset()
  }
  useShortcuts([
    { keys: '+', label: t('viewer.zoomIn'), group: 'act', run: () => step(1) },
    { keys: '=', label: t('viewer.zoomIn'), group: 'act', run: () => step(1) },
    { keys: '-', label: t('viewer.zoomOut'), group: 'act', run: () => step(-1) },
    { keys: '0', label: t('viewer.fitted'), group: 'act', run: reset },
    { keys: 'R', label: t('viewer.rotate'), group: 'act', run: turn },
  ])
  const { onReady } = slideshow
  const isShown = shown !== null
  const failed = state.kind === 'failed'
  useEffect(() => {
    // A slideshow goes on after a picture that cannot be shown.
    if (isShown || failed) onReady()
    if (failed) onDamaged()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per picture: the callbacks change with every render
  }, [isShown, failed])
  const upright = turned(fitted, quarterTurns)
  return (
    <>
      <div
        ref={element}
        className={classNames(styles['place'], zoom.scale > 1.01 && styles['enlarged'], grabbed && styles['grabbed'])}
      >
        {shown === null ? (
          <Waiting />
        ) : (
          <img
            className={classNames(styles['picture'], quarterTurns % 2 === 1 && styles['sideways'])}
            src={shown.address}
            alt={file.name}
            draggable={false}
            style={{
              inlineSize: upright.width,
              blockSize: upright.height,
              translate: `calc(${zoom.x + swipe}px - 50%) calc(${zoom.y}px - 50%)`,
              rotate: `${quarterTurns * 90}deg`,
              scale: String(zoom.scale),
            }}
          />
        )}
      </div>
      <ZoomBar
        zoom={zoom.scale}
        ofOriginal={whole.width === 0 ? 1 : (fitted.width * zoom.scale) / whole.width}
        onStep={step}
        onReset={reset}
        onTurn={turn}
        original={mayChoose ? original : undefined}
        refining={state.kind === 'shown' && state.refining}
        onOriginal={() => setOriginal((before) => !before)}
        slideshow={slideshow}
      />
    </>
  )
}

/** A resized picture is shown at the size of its original. */
function largerOf(shown: Dimensions | undefined, file: Dimensions | undefined): Dimensions {
  if (shown === undefined) return { width: 0, height: 0 }
  // EXIF orientation may swap width and height against those in the file's header.
  const swapped = file !== undefined && file.width > file.height !== shown.width > shown.height
  const upright = swapped ? turned(file, 1) : file
  return upright !== undefined && upright.width > shown.width ? upright : shown
}

interface ZoomBarProps {
  /** Relative to the size in which the picture fits the window. */
  readonly zoom: number
  /** Relative to the pixels of the file. */
  readonly ofOriginal: number
  readonly onStep: (notches: number) => void
  readonly onReset: () => void
  readonly onTurn: () => void
  /** Whether the original is shown instead of a resized picture; undefined where there is no choice. */
  readonly original: boolean | undefined
  readonly refining: boolean
  readonly onOriginal: () => void
  readonly slideshow: Slideshow
}

/** The toolbar below a picture: zoom, rotation, original size, slideshow. */
function ZoomBar(props: ZoomBarProps) {
  const { zoom, ofOriginal, onStep, onReset, onTurn, original, refining, onOriginal, slideshow } = props
  const t = useText()
  const format = useFormat()
  const level = zoom === 1 ? t('viewer.fitted') : format.percent(ofOriginal)
  return (
    <Toolbar label={t('viewer.zoom')} className={bar['bar']}>
      <IconButton icon="zoom-out" label={t('viewer.zoomOut')} onClick={() => onStep(-1)} />
      <button type="button" className={bar['level']} title={t('viewer.fitted')} onClick={onReset}>
        <output aria-label={t('viewer.zoomLevel')}>{level}</output>
      </button>
      <IconButton icon="zoom-in" label={t('viewer.zoomIn')} onClick={() => onStep(1)} />
      <IconButton icon="rotate" label={t('viewer.rotate')} onClick={onTurn} />
      {original !== undefined && (
        <button
          type="button"
          className={bar['level']}
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
