import { useCallback, useEffect, useRef, useState } from 'react'
import type { CodeEditor } from './ace/code-editor.ts'
import type { Drafts } from './drafts.ts'
import type { TextFormat } from './model/text-codec.ts'

/** A pause of so many milliseconds in the typing. */
const AFTER = 500

interface DraftOptions {
  readonly drafts: Drafts
  readonly path: string
  readonly editor: CodeEditor | null
  readonly dirty: boolean
  readonly format: TextFormat
  readonly etag: string | null
}

/** Keeps what is not saved in the browser: after each pause, and when the page is hidden. */
export function useDraft({ drafts, path, editor, dirty, format, etag }: DraftOptions): {
  /** The present text is in the browser. */
  readonly kept: boolean
  readonly forget: () => void
} {
  const [kept, setKept] = useState(false)
  const latest = useRef({ format, etag })
  useEffect(() => {
    latest.current = { format, etag }
  })
  const wasDirty = useRef(false)

  useEffect(() => {
    if (editor === null) return
    if (!dirty) {
      // A draft that was there before goes only when what it held was saved or given up.
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
      timer = setTimeout(keep, AFTER)
    }
    const keepAtOnce = (): void => {
      if (timer !== undefined) keep()
    }
    later()
    editor.ace.session.on('change', later)
    document.addEventListener('visibilitychange', keepAtOnce)
    addEventListener('pagehide', keepAtOnce)
    return () => {
      clearTimeout(timer)
      setKept(false)
      editor.ace.session.off('change', later)
      document.removeEventListener('visibilitychange', keepAtOnce)
      removeEventListener('pagehide', keepAtOnce)
    }
  }, [dirty, drafts, editor, path])
  const forget = useCallback((): void => void drafts.remove(path), [drafts, path])
  return { kept, forget }
}
