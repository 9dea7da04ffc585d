import { getRaw } from '../../../../src/api/files/downloads.ts'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { usePermissions } from '../../api/permissions.ts'
import { useClient } from '../../api/client.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { type Store, useStore } from '../../lib/create-store.ts'
import { kindOfName } from '../../lib/file-kind.ts'
import { startDownload } from '../../lib/start-download.ts'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import { BLANK_STATUS, type CodeEditor } from '../ace/code-editor.ts'
import { type EditorSettings, withFontSize } from '../editor-settings.ts'
import type { Preview } from '../panes.tsx'
import { useFormatMenus } from './use-format-menus.ts'
import type { Saving } from '../saving/use-saving.ts'
import styles from '../editor.module.css'

interface EditorBarProps {
  readonly name: string
  readonly path: VirtualPath
  readonly editor: CodeEditor | null
  readonly saving: Saving
  readonly settings: Store<EditorSettings>
  readonly dirty: boolean
  /** The unsaved changes are kept in this browser. */
  readonly kept: boolean
  readonly readOnly: boolean
  readonly finding: boolean
  readonly preview: Preview
  readonly onClose: () => void
  readonly onSave: () => void
  readonly onFind: () => void
  readonly onAskLine: () => void
  readonly onReopen: (encoding: Encoding) => void
}

/** The bar above the text: file name, state and actions. */
export function EditorBar(props: EditorBarProps) {
  const { name, editor, saving, settings, dirty, kept, readOnly, finding, preview, onClose, onSave, onFind } = props
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  const { wrap } = useStore(editor?.status ?? BLANK_STATUS)
  const entries = useEditorMenu(props)
  return (
    <div className={styles['bar']}>
      <IconButton icon="x" label={t('kit.close')} aria-keyshortcuts="Escape" onClick={onClose} />
      <FileGlyph type={kindOfName(name) ?? 'text'} size={20} />
      <span className={styles['name']} title={name}>
        <FileName name={name} />
      </span>
      {dirty && <span className={styles['dirty']} role="img" aria-label={t('editor.unsaved')} />}
      {dirty && kept && <span className={`${styles['kept'] ?? ''} only-wide`}>{t('editor.draftKept')}</span>}
      {readOnly && <span className={styles['mark']}>{t('editor.readOnly')}</span>}
      <span className="grow" />
      {!narrow && <FontSize settings={settings} />}
      {!narrow && <IconButton icon="wrap" label={t('editor.wrap')} pressed={wrap} onClick={() => toggleWrap(props)} />}
      <IconButton
        icon="search"
        label={t('editor.find')}
        pressed={finding}
        aria-keyshortcuts="Control+F"
        onClick={onFind}
      />
      {!narrow && preview.toggle !== undefined && (
        <Button variant="ghost" icon="split" aria-pressed={preview.shown} onClick={preview.toggle}>
          {t('editor.preview')}
        </Button>
      )}
      <MenuButton label={t('editor.more')} icon="more" entries={entries} />
      {!readOnly && (
        <Button
          variant="primary"
          aria-keyshortcuts="Control+S"
          aria-disabled={dirty ? undefined : true}
          progress={saving.busy ? 'busy' : 'idle'}
          onClick={dirty ? onSave : undefined}
        >
          {t('editor.save')}
        </Button>
      )}
    </div>
  )
}

function toggleWrap({ editor, settings }: Pick<EditorBarProps, 'editor' | 'settings'>): void {
  const wrap = editor?.status.get().wrap !== true
  editor?.ace.session.setUseWrapMode(wrap)
  settings.set((before) => ({ ...before, wrap }))
}

function FontSize({ settings }: { readonly settings: Store<EditorSettings> }) {
  const t = useText()
  const { fontSize } = useStore(settings)
  const change = (step: number) => (): void => settings.set((before) => withFontSize(before, step))
  return (
    <div className={styles['stepper']} role="group" aria-label={t('editor.fontSize')}>
      <IconButton icon="minus" label={t('editor.fontSmaller')} disabled={fontSize <= 1} onClick={change(-1)} />
      <output aria-label={t('editor.fontSize')}>{fontSize}</output>
      <IconButton icon="plus" label={t('editor.fontLarger')} onClick={change(1)} />
    </div>
  )
}

/** The menu of actions without a button of their own; on narrow screens that is most of them. */
function useEditorMenu(props: EditorBarProps): () => readonly MenuEntry[] {
  const { name, path, editor, saving, settings, readOnly, preview, onAskLine, onReopen } = props
  const t = useText()
  const client = useClient()
  const mayDownload = usePermissions().download
  const narrow = useMediaQuery(NARROW)
  const { ends, encodings, chooseLanguage } = useFormatMenus({ editor, saving, readOnly, onReopen })
  return () => {
    if (editor === null) return []
    const { wrap } = editor.status.get()
    const inEditor = (act: () => void) => (): void => {
      act()
      editor.ace.focus()
    }
    const font = (step: number) => (): void => settings.set((before) => withFontSize(before, step))
    const undoEntries: MenuEntry[] = [
      { label: t('editor.undo'), icon: 'undo', keys: 'Ctrl+Z', run: inEditor(() => editor.ace.undo()) },
      { label: t('editor.redo'), keys: 'Ctrl+Shift+Z', run: inEditor(() => editor.ace.redo()) },
      { kind: 'separator' },
    ]
    const previewEntries: MenuEntry[] =
      preview.toggle === undefined
        ? []
        : [{ kind: 'choice', label: t('editor.preview'), checked: preview.shown, run: preview.toggle }]
    const viewEntries: MenuEntry[] = [
      ...previewEntries,
      { kind: 'choice', label: t('editor.wrap'), checked: wrap, run: () => toggleWrap(props) },
      { label: t('editor.fontLarger'), icon: 'plus', run: font(1) },
      { label: t('editor.fontSmaller'), icon: 'minus', run: font(-1) },
    ]
    const downloadEntries: MenuEntry[] = [
      { kind: 'separator' },
      {
        label: t('files.download'),
        icon: 'download',
        run: () => startDownload(client.url(getRaw, { params: { '*': path } }), name),
      },
    ]
    const formats: MenuEntry[] = [
      ...(readOnly ? [] : [{ kind: 'submenu' as const, label: t('editor.lineEnds'), entries: ends() }]),
      { kind: 'submenu', label: t('editor.encoding'), entries: encodings() },
    ]
    return [
      ...(readOnly ? [] : undoEntries),
      { label: t('editor.goToLine'), icon: 'arrow-right', keys: 'Ctrl+L', run: onAskLine },
      { label: t('editor.language'), icon: 'file', run: chooseLanguage },
      ...formats,
      ...(narrow ? viewEntries : []),
      ...(mayDownload ? downloadEntries : []),
    ]
  }
}
