import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import type { Dimensions } from '../image/zoom.ts'
import { type Corner, CORNERS, type Crop, movedCrop, resizedCrop } from './crop.ts'
import styles from './picture-editor.module.css'

const LABELS: Readonly<Record<Corner, MessageId>> = {
  tl: 'crop.topLeft',
  tr: 'crop.topRight',
  bl: 'crop.bottomLeft',
  br: 'crop.bottomRight',
}

/** Of the picture, for each press of an arrow key; with Shift ten times as much. */
const STEP = 0.005

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface CropFrameProps {
  readonly crop: Crop
  readonly picture: Dimensions
  readonly ratio: number | undefined
  /** Pixels of the screen for each pixel of the picture. */
  readonly scale: number
  readonly onChange: (crop: Crop) => void
}

/** The part to keep, and its corners. All can be moved by pointer, touch and arrow keys. */
export function CropFrame({ crop, picture, ratio, scale, onChange }: CropFrameProps) {
  const t = useText()
  const drag = useRef<{ readonly from: Crop; readonly x: number; readonly y: number }>(null)
  const change = (from: Crop, handle: Corner | 'area', x: number, y: number): void => {
    if (handle === 'area') onChange(movedCrop(from, x, y, picture))
    else onChange(resizedCrop(from, { corner: handle, x, y, picture, ratio }))
  }
  const handlers = (handle: Corner | 'area') => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { from: crop, x: event.clientX, y: event.clientY }
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (drag.current === null) return
      const { from, x, y } = drag.current
      change(from, handle, (clientX - x) / scale, (clientY - y) / scale)
    },
    onLostPointerCapture() {
      drag.current = null
    },
    onKeyDown(event: KeyboardEvent) {
      const [x, y] = ARROWS[event.key] ?? []
      if (x === undefined || y === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const step = Math.max(1, Math.max(picture.width, picture.height) * STEP) * (event.shiftKey ? 10 : 1)
      change(crop, handle, x * step, y * step)
    },
  })
  return (
    <div
      className={styles['frame']}
      style={{
        insetInlineStart: crop.left * scale,
        insetBlockStart: crop.top * scale,
        inlineSize: crop.width * scale,
        blockSize: crop.height * scale,
      }}
    >
      <button type="button" className={styles['area']} aria-label={t('crop.area')} {...handlers('area')} />
      {CORNERS.map((corner) => (
        <button
          key={corner}
          type="button"
          className={styles['corner']}
          data-corner={corner}
          aria-label={t(LABELS[corner])}
          {...handlers(corner)}
        />
      ))}
    </div>
  )
}
