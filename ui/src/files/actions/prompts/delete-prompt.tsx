import { nameOf } from '../../../../../src/domain/files/virtual-path.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { FileName } from '../../../kit/text/names.tsx'
import { FileGlyph } from '../../../kit/icon/icon.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { glyphOf } from '../picture.tsx'
import type { FileItem } from '../model.ts'
import styles from './item-list.module.css'

interface DeletePromptProps {
  readonly items: readonly Pick<FileItem, 'path' | 'isDir' | 'size' | 'type'>[]
  readonly reason: keyof typeof TEXTS
}

const MAX_SHOWN = 6

const TEXTS = {
  skipsTrash: 'actions.deleteText',
  /** The user wanted to use the trash, which is switched off. */
  noTrash: 'actions.deleteNoTrash',
  inTrash: 'actions.deleteFromTrash',
  emptying: 'actions.deleteFromTrash',
} as const

/** Asks before deleting forever. The safe button has the focus. */
export function DeletePrompt({ items, reason, close }: DeletePromptProps & PromptProps<boolean>) {
  const t = useText()
  const format = useFormat()
  const count = items.length
  const name = nameOf(items[0]?.path ?? ('/' as never))
  return (
    <Dialog
      alert
      title={t(reason === 'emptying' ? 'actions.emptyTitle' : 'actions.deleteTitle', { count, name })}
      onClose={() => close()}
      footer={
        <>
          <Button data-autofocus="" onClick={() => close()}>
            {t('actions.keep', { count })}
          </Button>
          <Button variant="danger" onClick={() => close(true)}>
            {t('actions.deleteForever')}
          </Button>
        </>
      }
    >
      <p>{t(TEXTS[reason], { count })}</p>
      <ul className={styles['items']}>
        {items.slice(0, MAX_SHOWN).map((item) => (
          <li key={item.path}>
            <FileGlyph type={glyphOf(item)} size={20} />
            <span className={styles['name']} title={item.path}>
              <FileName name={nameOf(item.path)} />
            </span>
            {!item.isDir && <bdi className={styles['fact']}>{format.bytes(item.size)}</bdi>}
          </li>
        ))}
        {count > MAX_SHOWN && <li className={styles['fact']}>{t('actions.andMore', { count: count - MAX_SHOWN })}</li>}
      </ul>
    </Dialog>
  )
}
