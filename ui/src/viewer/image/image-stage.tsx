import { useEffect, useRef, useState } from 'react'
import { useConfig } from '../../api/config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { classNames } from '../../lib/class-names.ts'
import { isDrawing, needsServerPicture } from '../model/view-kind.ts'
import { fitInto, largestScaleOf, type Measures, type Stage, turned } from '../model/zoom.ts'
import { useDetails } from '../use-details.ts'
import { useFileUrls } from '../use-file-urls.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { Waiting } from '../waiting.tsx'
import { canBeResized, pictureSources } from './picture-sources.ts'
import { useBox } from './use-box.ts'
import { usePicture } from './use-picture.ts'
import { useZoom } from './use-zoom.ts'
import { ZoomBar } from './zoom-bar.tsx'
import styles from './image-stage.module.css'

/** A picture on the stage. */
export function ImageStage({ file, path, slideshow, onStep, onDamaged }: ViewedFile) {
  const t = useText()
  const urls = useFileUrls()
  const resizedFirst = useConfig().ResizePreview
  const mayChoose = resizedFirst && canBeResized(file) && !needsServerPicture(file.name)
  const [original, setOriginal] = useState(!mayChoose)
  const [quarters, setQuarters] = useState(0)
  const element = useRef<HTMLDivElement>(null)
  const box = useBox(element)
  const resolution = useDetails(path, file).data?.resolution
  const state = usePicture(pictureSources(urls, path, file, original))
  const shown = state.kind === 'shown' ? state.picture : null
  const whole = turned(largerOf(shown?.measures, resolution), quarters)
  const fitted = fitInto(whole, box, isDrawing(file.name))
  const stage: Stage = { box, fitted, largestScale: largestScaleOf(whole, fitted) }
  const { zoom, swipe, held, step, reset } = useZoom({ element, stage, onSwipe: onStep })
  const turn = (): void => {
    setQuarters((before) => before + 1)
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
    // What cannot be shown has its turn in a slideshow too.
    if (isShown || failed) onReady()
    if (failed) onDamaged()
    // Once for each picture: the callbacks are new with every drawing.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [isShown, failed])
  const upright = turned(fitted, quarters)
  return (
    <>
      <div
        ref={element}
        className={classNames(styles['place'], zoom.scale > 1.01 && styles['enlarged'], held && styles['held'])}
      >
        {shown === null ? (
          <Waiting />
        ) : (
          <img
            className={classNames(styles['picture'], quarters % 2 === 1 && styles['lying'])}
            src={shown.address}
            alt={file.name}
            draggable={false}
            style={{
              inlineSize: upright.width,
              blockSize: upright.height,
              translate: `calc(${zoom.x + swipe}px - 50%) calc(${zoom.y}px - 50%)`,
              rotate: `${quarters * 90}deg`,
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

/** A picture made small is shown in the measures of the file that it stands for. */
function largerOf(shown: Measures | undefined, file: Measures | undefined): Measures {
  if (shown === undefined) return { width: 0, height: 0 }
  // Turned by its EXIF data the picture may lie across of what its head says.
  const across = file !== undefined && file.width > file.height !== shown.width > shown.height
  const upright = across ? turned(file, 1) : file
  return upright !== undefined && upright.width > shown.width ? upright : shown
}
