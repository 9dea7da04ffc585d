import { Suspense, useState, type RefObject } from 'react'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import { lazyPart } from '../kit/lazy-part.tsx'
import { OverlayBoundary } from '../kit/dialog/overlay-boundary.tsx'
import { PrintedText } from '../kit/text/printed.tsx'
import { NARROW, useMediaQuery } from '../lib/use-media-query.ts'
import type { CodeEditor } from './ace/code-editor.ts'
import styles from './editor.module.css'
import { Splitter } from './preview/splitter.tsx'
import type { Preview } from './use-preview.ts'

const MarkdownPreview = lazyPart(async () => (await import('./preview/markdown-preview.tsx')).MarkdownPreview)

interface PanesProps {
  readonly host: RefObject<HTMLDivElement | null>
  readonly editor: CodeEditor | null
  readonly name: string
  readonly path: VirtualPath
  readonly preview: Preview
}

/** The text, and what it looks like: side by side, on narrow screens one in place of the other. */
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
        <OverlayBoundary onError={() => preview.toggle?.()}>
          <Suspense>
            <MarkdownPreview editor={editor} path={path} name={name} />
          </Suspense>
        </OverlayBoundary>
      )}
    </div>
  )
}
