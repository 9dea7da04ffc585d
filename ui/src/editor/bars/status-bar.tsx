import { type Encoding, encodingFacts } from '../../../../src/domain/text/encodings.ts'
import { parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useMenus, type MenuEntry } from '../../kit/menu/menu.tsx'
import type { CodeEditor, EditorStatus } from '../ace/code-editor.ts'
import styles from '../editor.module.css'
import { useFormatMenus } from './use-format-menus.ts'
import type { Saving } from '../saving/use-saving.ts'

interface StatusBarProps {
  readonly path: VirtualPath
  readonly editor: CodeEditor | null
  readonly status: EditorStatus
  readonly saving: Saving
  readonly readOnly: boolean
  readonly onAskLine: () => void
  readonly onReopen: (encoding: Encoding) => void
}

/** Position, language, indentation, encoding and line endings; each is a button that changes it. */
export function StatusBar({ path, editor, status, saving, readOnly, onAskLine, onReopen }: StatusBarProps) {
  const t = useText()
  const menus = useMenus()
  const { format } = saving
  const { ends, encodings, chooseLanguage } = useFormatMenus({ editor, saving, readOnly, onReopen })
  const open = (label: string, entries: () => MenuEntry[]) => (event: { currentTarget: HTMLElement }) =>
    menus.open({ label, anchor: { element: event.currentTarget, align: 'end' }, entries: entries() })
  const indents = (): MenuEntry[] => indentMenu(t, editor, status)
  const { indent } = status
  return (
    <div className={styles['status']} role="group" aria-label={t('editor.status')}>
      <bdi className={`${styles['place'] ?? ''} clip only-wide`} dir="ltr">
        {parentOf(path)}
      </bdi>
      <span className="grow" />
      {status.selected > 0 && <span className="only-wide">{t('editor.selected', { count: status.selected })}</span>}
      <button type="button" onClick={onAskLine}>
        {t('editor.cursorPosition', { line: status.line, column: status.column })}
      </button>
      <button type="button" onClick={chooseLanguage}>
        {status.language}
      </button>
      <button type="button" className="only-wide" aria-haspopup="menu" onClick={open(t('editor.indent'), indents)}>
        {indent.tabs ? t('editor.tabs', { size: indent.size }) : t('editor.spaces', { size: indent.size })}
      </button>
      <button type="button" aria-haspopup="menu" onClick={open(t('editor.encoding'), encodings)}>
        {encodingFacts(format.encoding).name}
      </button>
      <button
        type="button"
        className="only-wide"
        aria-haspopup="menu"
        disabled={readOnly}
        onClick={open(t('editor.lineEnds'), ends)}
      >
        {format.lineEnd === 'mixed' ? t('editor.endMixed') : format.lineEnd}
      </button>
    </div>
  )
}

function indentMenu(t: ReturnType<typeof useText>, editor: CodeEditor | null, { indent }: EditorStatus): MenuEntry[] {
  const session = editor?.ace.session
  const choices = [2, 4, 8].flatMap((size) => [
    { tabs: false, size, label: t('editor.spaces', { size }) },
    { tabs: true, size, label: t('editor.tabs', { size }) },
  ])
  return choices
    .toSorted((a, b) => Number(a.tabs) - Number(b.tabs))
    .map(({ tabs, size, label }) => ({
      kind: 'choice',
      label,
      checked: tabs === indent.tabs && size === indent.size,
      run: () => {
        session?.setUseSoftTabs(!tabs)
        session?.setTabSize(size)
      },
    }))
}
