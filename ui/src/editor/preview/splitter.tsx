import type { KeyboardEvent, PointerEvent } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { moveSplit, splitAt, WIDEST_SPLIT, NARROWEST_SPLIT } from './split.ts'
import styles from './preview.module.css'

interface SplitterProps {
  /** Percent of the width that the text has. */
  readonly split: number
  readonly onSplit: (split: number) => void
}

/** Moves the border between the text and its preview: by the pointer, the arrows, Home and End. */
export function Splitter({ split, onSplit }: SplitterProps) {
  const t = useText()
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const parent = event.currentTarget.parentElement
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || parent === null) return
    const { left, width } = parent.getBoundingClientRect()
    onSplit(splitAt((event.clientX - left) / width, isRightToLeft(parent)))
  }
  const handleKeys = (event: KeyboardEvent<HTMLElement>): void => {
    const next = moveSplit(split, event.key, isRightToLeft(event.currentTarget))
    if (next === undefined) return
    event.preventDefault()
    onSplit(next)
  }
  return (
    <div
      className={styles['splitter']}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('editor.resizePreview')}
      aria-valuemin={NARROWEST_SPLIT}
      aria-valuemax={WIDEST_SPLIT}
      aria-valuenow={split}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={handleKeys}
    />
  )
}

function isRightToLeft(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl'
}
