import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button, IconButton } from '../kit/button/button.tsx'
import { FileName } from '../kit/text/names.tsx'
import { FileGlyph } from '../kit/icon/icon.tsx'
import { MenuButton } from '../kit/menu/menu-button.tsx'
import { useStore, type Store } from '../lib/create-store.ts'
import { kindOfName } from '../lib/file-kind.ts'
import { NARROW, useMediaQuery } from '../lib/use-media-query.ts'
import { BLANK_STATUS, type CodeEditor } from './ace/code-editor.ts'
import styles from './editor.module.css'
import { FontSize } from './font-size.tsx'
import type { EditorSettings } from './model/editor-settings.ts'
import { useEditorMenu } from './use-editor-menu.ts'
import type { Preview } from './use-preview.ts'
import type { Saving } from './use-saving.ts'

export interface EditorBarProps {
  readonly name: string
  readonly path: VirtualPath
  readonly editor: CodeEditor | null
  readonly saving: Saving
  readonly settings: Store<EditorSettings>
  readonly dirty: boolean
  /** What is not saved is in the browser. */
  readonly kept: boolean
  readonly readOnly: boolean
  readonly finding: boolean
  readonly preview: Preview
  readonly onClose: () => void
  readonly onSave: () => void
  readonly onFind: () => void
  readonly onAskLine: () => void
}

/** What is open, whether it is saved, and what can be done with all of it. */
export function EditorBar(props: EditorBarProps) {
  const { name, editor, saving, settings, dirty, kept, readOnly, finding, preview, onClose, onSave, onFind } = props
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  const { wrap } = useStore(editor?.status ?? BLANK_STATUS)
  const entries = useEditorMenu(props)
  const toggleWrap = (): void => {
    editor?.ace.session.setUseWrapMode(!wrap)
    settings.set((before) => ({ ...before, wrap: !wrap }))
  }
  return (
    <div className={styles['bar']}>
      <IconButton icon="x" label={t('editor.close')} aria-keyshortcuts="Escape" onClick={onClose} />
      <FileGlyph type={kindOfName(name) ?? 'text'} size={20} />
      <span className={styles['name']} title={name}>
        <FileName name={name} />
      </span>
      {dirty && <span className={styles['dirty']} role="img" aria-label={t('editor.unsaved')} />}
      {dirty && kept && <span className={`${styles['kept'] ?? ''} only-wide`}>{t('editor.draftKept')}</span>}
      {readOnly && <span className={styles['mark']}>{t('editor.readOnly')}</span>}
      <span className="grow" />
      {!narrow && <FontSize settings={settings} />}
      {!narrow && <IconButton icon="wrap" label={t('editor.wrap')} pressed={wrap} onClick={toggleWrap} />}
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
