import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react'
import type { VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { useText } from '../i18n/use-text.tsx'
import { LazyBoundary, lazyComponent } from '../kit/lazy-component.tsx'
import { PrintedText } from '../kit/text/printed.tsx'
import { type Store, useStore } from '../lib/create-store.ts'
import { NARROW, useMediaQuery } from '../lib/hooks.ts'
import type { CodeEditor } from './ace/code-editor.ts'
import type { EditorSettings } from './editor-settings.ts'
import styles from './editor.module.css'
import previewStyles from './preview/preview.module.css'

const MarkdownPreview = lazyComponent(async () => (await import('./preview/markdown-preview.tsx')).MarkdownPreview)

interface PanesProps {
  readonly host: RefObject<HTMLDivElement | null>
  readonly editor: CodeEditor | null
  readonly name: string
  readonly path: VirtualPath
  readonly preview: Preview
}

/** The text and its preview: side by side, on narrow screens one at a time. */
export function Panes({ host, editor, name, path, preview }: PanesProps) {
  const narrow = useMediaQuery(NARROW)
  const [split, setSplit] = useState(50)
  const shown = preview.shown && editor !== null
  return (
    <div className={styles['panes']}>
      <div
        ref={host}
        className={styles['code']}
        dir="ltr"
        hidden={shown && narrow}
        style={shown ? { flex: `0 0 ${split}%` } : undefined}
      />
      {!shown && editor !== null && <PrintedText read={() => editor.ace.getValue()} />}
      {shown && !narrow && <Splitter split={split} onSplit={setSplit} />}
      {shown && (
        <LazyBoundary onError={() => preview.toggle?.()}>
          <MarkdownPreview editor={editor} path={path} name={name} />
        </LazyBoundary>
      )}
    </div>
  )
}

/** The state of the preview. `toggle` is undefined for files without a preview. */
export interface Preview {
  readonly shown: boolean
  readonly toggle: (() => void) | undefined
}

/** Whether the Markdown preview is shown. The choice is remembered on wide screens; narrow screens start with the text. */
export function usePreview(name: string, settings: Store<EditorSettings>): Preview {
  const narrow = useMediaQuery(NARROW)
  const { preview } = useStore(settings)
  const [narrowShown, setNarrowShown] = useState(false)
  if (!/\.(md|markdown)$/i.test(name)) return { shown: false, toggle: undefined }
  if (narrow) return { shown: narrowShown, toggle: () => setNarrowShown(!narrowShown) }
  return { shown: preview, toggle: () => settings.set((before) => ({ ...before, preview: !preview })) }
}

interface SplitterProps {
  /** Width of the text in percent. */
  readonly split: number
  readonly onSplit: (split: number) => void
}

/** The border between text and preview, moved by the pointer, the arrows, Home and End. */
function Splitter({ split, onSplit }: SplitterProps) {
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
      className={previewStyles['splitter']}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('editor.resizePreview')}
      aria-valuemin={MIN_SPLIT}
      aria-valuemax={MAX_SPLIT}
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

/** Width of the first pane in percent. */
const MIN_SPLIT = 20
const MAX_SPLIT = 80

const STEP = 5

/** @param fraction of the width, from the left edge */
export function splitAt(fraction: number, rightToLeft: boolean): number {
  return clamp(Math.round((rightToLeft ? 1 - fraction : fraction) * 100))
}

/** The new position of the border after a key press; undefined for other keys. Arrows are mirrored in right-to-left pages. */
export function moveSplit(split: number, key: string, rightToLeft: boolean): number | undefined {
  const forward = rightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const backward = rightToLeft ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward) return clamp(split + STEP)
  if (key === backward) return clamp(split - STEP)
  if (key === 'Home') return MIN_SPLIT
  return key === 'End' ? MAX_SPLIT : undefined
}

function clamp(split: number): number {
  return Math.min(Math.max(split, MIN_SPLIT), MAX_SPLIT)
}
