import { useCallback, useEffect, useRef, useState } from 'react'
import type { CodeEditor } from '../ace/code-editor.ts'
import type { Drafts } from './drafts.ts'
import type { TextFormat } from './text-format.ts'
import { useLatest } from '../../lib/hooks.ts'

/** Milliseconds without typing before the draft is stored. */
const DELAY = 500

interface DraftOptions {
  readonly drafts: Drafts
  readonly path: string
  readonly editor: CodeEditor | null
  readonly dirty: boolean
  readonly format: TextFormat
  readonly etag: string | null
}

/** Stores unsaved changes in the browser after each pause in typing and when the page is hidden. */
export function useDraft({ drafts, path, editor, dirty, format, etag }: DraftOptions): {
  /** Whether the current text is stored in the browser. */
  readonly kept: boolean
  readonly forget: () => void
} {
  const [kept, setKept] = useState(false)
  const latest = useLatest({ format, etag })
  const wasDirty = useRef(false)

  useEffect(() => {
    if (editor === null) return
    if (!dirty) {
      // A draft of an earlier visit is removed only after its text was saved or discarded.
      if (wasDirty.current) void drafts.remove(path)
      wasDirty.current = false
      return
    }
    wasDirty.current = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = (): void => {
      clearTimeout(timer)
      timer = undefined
      const { encoding, lineEnd } = latest.current.format
      const draft = { text: editor.text(), encoding, lineEnd, etag: latest.current.etag, keptAt: Date.now() }
      void drafts.write(path, draft).then(
        () => setKept(true),
        () => setKept(false),
      )
    }
    const later = (): void => {
      clearTimeout(timer)
      timer = setTimeout(keep, DELAY)
    }
    const keepNow = (): void => {
      if (timer !== undefined) keep()
    }
    later()
    editor.ace.session.on('change', later)
    document.addEventListener('visibilitychange', keepNow)
    addEventListener('pagehide', keepNow)
    return () => {
      clearTimeout(timer)
      setKept(false)
      editor.ace.session.off('change', later)
      document.removeEventListener('visibilitychange', keepNow)
      removeEventListener('pagehide', keepNow)
    }
  }, [dirty, drafts, editor, path, latest])
  const forget = useCallback((): void => void drafts.remove(path), [drafts, path])
  return { kept, forget }
}
