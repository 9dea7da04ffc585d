import { type RefObject, useEffect, useRef, useState } from 'react'
import { useUser } from '../../api/session.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useTheme } from '../../kit/contexts.ts'
import { type Store, useStore } from '../../lib/create-store.ts'
import { editorThemeName } from '../../lib/editor-themes.ts'
import { useMediaQuery } from '../../lib/hooks.ts'
import { aceTextOf } from './ace-text.ts'
import { type CodeEditor, createCodeEditor, hasLongLine } from './code-editor.ts'
import type { EditorSettings } from '../editor-settings.ts'

interface CodeEditorOptions {
  readonly name: string
  readonly text: string
  /** Unsaved text of the last visit, to continue with. */
  readonly draft: string | undefined
  readonly readOnly: boolean
  readonly settings: Store<EditorSettings>
}

/** An Ace editor in the element with the ref `host`; null until it is mounted. */
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
    texts: { ...aceTextOf(t), more: t('editor.showLongLine'), less: t('editor.hideLongLine') },
  }))
  useEffect(() => {
    if (host.current === null) return
    const created = createCodeEditor(host.current, start)
    // Wrapping would disable the cutting of long lines.
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

/** The user's editor theme, else one that matches the page. With forced colours the system decides. */
export function useAceThemeName(): string {
  const choice = useStore(useTheme().choice)
  const darkSystem = useMediaQuery('(prefers-color-scheme: dark)')
  const forced = useMediaQuery('(forced-colors: active)')
  const chosen = useUser()?.aceEditorTheme ?? ''
  const dark = choice === 'system' || forced ? darkSystem : choice === 'dark'
  return `ace/theme/${editorThemeName(forced ? '' : chosen, dark)}`
}
