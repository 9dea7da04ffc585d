import { type Encoding, encodingFacts } from '../../../../src/domain/text/encodings.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { useMenus } from '../../kit/menu/menu.tsx'
import type { CodeEditor } from '../ace/code-editor.ts'
import styles from '../editor.module.css'
import type { Saving } from '../saving/use-saving.ts'
import { useFormatMenus } from './use-format-menus.ts'

interface InexactNoteProps {
  readonly editor: CodeEditor | null
  readonly saving: Saving
  readonly onReopen: (encoding: Encoding) => void
  readonly onEdit: () => void
}

/** Says that saving would change bytes that mean nothing in the encoding of the file. */
export function InexactNote({ editor, saving, onReopen, onEdit }: InexactNoteProps) {
  const t = useText()
  const menus = useMenus()
  const { reopening } = useFormatMenus({ editor, saving, readOnly: true, onReopen })
  const label = t('editor.reopenWith')
  return (
    <div className={styles['note']} role="status">
      <Icon name="info" />
      <span className="grow">{t('editor.inexact', { encoding: encodingFacts(saving.format.encoding).name })}</span>
      <Button
        size="small"
        aria-haspopup="menu"
        onClick={({ currentTarget: element }) =>
          menus.open({ label, anchor: { element, align: 'end' }, entries: reopening() })
        }
      >
        {label}
      </Button>
      <Button size="small" onClick={onEdit}>
        {t('editor.editAnyway')}
      </Button>
    </div>
  )
}
