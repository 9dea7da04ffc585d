import { useEffect, useRef, useState, type RefObject } from 'react'
import { useText } from '../i18n/use-text.tsx'
import { useStore, type Store } from '../lib/create-store.ts'
import { aceWords } from './ace-words.ts'
import { createCodeEditor, hasLongLine, type CodeEditor } from './ace/code-editor.ts'
import type { EditorSettings } from './model/editor-settings.ts'
import { useAceThemeName } from './use-ace-theme-name.ts'

interface CodeEditorOptions {
  readonly name: string
  readonly text: string
  /** What was not saved the last time, to go on with. */
  readonly draft: string | undefined
  readonly readOnly: boolean
  readonly settings: Store<EditorSettings>
}

/** The Ace editor of a screen, in the element that `host` is given to; null until that is there. */
export function useCodeEditor(options: CodeEditorOptions): {
  readonly host: RefObject<HTMLDivElement | null>
  readonly editor: CodeEditor | null
} {
  const { name, readOnly, settings } = options
  const t = useText()
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<CodeEditor | null>(null)
  const [start] = useState(() => ({
    text: options.text,
    draft: options.draft,
    fileName: name,
    words: { ...aceWords(t), more: t('editor.showLongLine'), less: t('editor.hideLongLine') },
  }))
  useEffect(() => {
    if (host.current === null) return
    const created = createCodeEditor(host.current, start)
    // A long line is cut only while it is not wrapped.
    created.ace.session.setUseWrapMode(settings.get().wrap && !hasLongLine(start.text))
    if (start.draft !== undefined) created.replaceText(start.draft)
    created.ace.focus()
    setEditor(created)
    return () => {
      setEditor(null)
      created.destroy()
    }
  }, [settings, start])

  const { fontSize } = useStore(settings)
  const theme = useAceThemeName()
  const label = t('editor.content', { name })
  useEffect(() => editor?.ace.setFontSize(fontSize), [editor, fontSize])
  useEffect(() => editor?.ace.setReadOnly(readOnly), [editor, readOnly])
  useEffect(() => editor?.setLabel(label), [editor, label])
  useEffect(() => editor?.ace.setTheme(theme), [editor, theme])
  return { host, editor }
}
