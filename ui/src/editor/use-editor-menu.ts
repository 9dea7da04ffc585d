import { getRaw } from '../../../src/api/files.ts'
import { useClient } from '../api/client-context.tsx'
import { useText } from '../i18n/use-text.tsx'
import type { MenuEntry } from '../kit/menu/menu.tsx'
import { startDownload } from '../lib/start-download.ts'
import { NARROW, useMediaQuery } from '../lib/use-media-query.ts'
import type { EditorBarProps } from './editor-bar.tsx'
import { withFontSize } from './model/editor-settings.ts'
import { useFormatMenus } from './use-format-menus.ts'

/** Everything that has no button of its own; on narrow screens that is most of it. */
export function useEditorMenu(props: EditorBarProps): () => readonly MenuEntry[] {
  const { name, path, editor, saving, settings, readOnly, preview, onAskLine } = props
  const t = useText()
  const client = useClient()
  const narrow = useMediaQuery(NARROW)
  const { ends, encodings, chooseLanguage } = useFormatMenus(editor, saving)
  return () => {
    if (editor === null) return []
    const { wrap } = editor.status.get()
    const inEditor = (act: () => void) => (): void => {
      act()
      editor.ace.focus()
    }
    const font = (step: number) => (): void => settings.set((before) => withFontSize(before, step))
    const toggleWrap = (): void => {
      editor.ace.session.setUseWrapMode(!wrap)
      settings.set((before) => ({ ...before, wrap: !wrap }))
    }
    const undoing: MenuEntry[] = [
      { label: t('editor.undo'), icon: 'undo', keys: 'Ctrl+Z', run: inEditor(() => editor.ace.undo()) },
      { label: t('editor.redo'), keys: 'Ctrl+Shift+Z', run: inEditor(() => editor.ace.redo()) },
      { kind: 'separator' },
    ]
    const seen: MenuEntry[] =
      preview.toggle === undefined
        ? []
        : [{ kind: 'choice', label: t('editor.preview'), checked: preview.shown, run: preview.toggle }]
    const looks: MenuEntry[] = [
      ...seen,
      { kind: 'choice', label: t('editor.wrap'), checked: wrap, run: toggleWrap },
      { label: t('editor.fontLarger'), icon: 'plus', run: font(1) },
      { label: t('editor.fontSmaller'), icon: 'minus', run: font(-1) },
    ]
    const formats: MenuEntry[] = [
      { kind: 'submenu', label: t('editor.lineEnds'), entries: ends() },
      { kind: 'submenu', label: t('editor.encoding'), entries: encodings() },
    ]
    return [
      ...(readOnly ? [] : undoing),
      { label: t('editor.goToLine'), icon: 'arrow-right', keys: 'Ctrl+L', run: onAskLine },
      { label: t('editor.language'), icon: 'file', run: chooseLanguage },
      ...(readOnly ? [] : formats),
      ...(narrow ? looks : []),
      { kind: 'separator' },
      {
        label: t('files.download'),
        icon: 'download',
        run: () => startDownload(client.url(getRaw, { params: { '*': path } }), name),
      },
    ]
  }
}
