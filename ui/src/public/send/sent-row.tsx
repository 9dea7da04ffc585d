import { useId } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Progress } from '../../kit/feedback/progress.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { kindOfName } from '../../lib/file-kind.ts'
import type { Sender, SendProblem, SentFile } from './sender.ts'
import styles from './send.module.css'

const PROBLEMS: Readonly<Record<SendProblem, MessageId>> = {
  type: 'public.typeRefused',
  size: 'public.tooLarge',
  full: 'public.linkFull',
  count: 'public.noMoreFiles',
  changed: 'public.notSameFile',
  connection: 'errors.connection',
  other: 'public.notSent',
}

interface SentRowProps {
  readonly item: SentFile
  readonly sender: Sender
  /** Whether files wait for the name of the visitor. */
  readonly isNameless: boolean
  /** Asks the visitor for an interrupted file. */
  readonly onChooseAgain: () => void
}

/** One file and its progress. */
export function SentRow({ item, sender, isNameless, onChooseAgain }: SentRowProps) {
  const t = useText()
  const id = useId()
  const toasts = useToasts()
  const { key, name, size, state, sent, problem } = item
  const canRetry = state === 'failed' && problem !== 'type' && problem !== 'size'
  const remove = (): void => void sender.remove(key).catch(() => toasts.error(t('public.notRemoved', { name })))
  return (
    <li className={styles['item']}>
      <FileGlyph type={kindOfName(name) ?? 'other'} size={24} />
      <div className={styles['middle']}>
        <span id={id} className={styles['name']} title={name}>
          <FileName name={name} />
        </span>
        <span className={styles['state']} data-failed={problem !== undefined || undefined} role="status">
          <StateText item={item} isNameless={isNameless} />
        </span>
        {(state === 'sending' || state === 'interrupted') && (
          <Progress thin value={size === 0 ? 1 : sent / size} label={name} />
        )}
        {state === 'interrupted' && (
          <Button id={`${id}again`} aria-labelledby={`${id}again ${id}`} icon="retry" onClick={onChooseAgain}>
            {t('public.chooseAgain')}
          </Button>
        )}
      </div>
      <div className={styles['buttons']}>
        {canRetry && (
          <IconButton icon="retry" label={t('public.sendAgain', { name })} onClick={() => sender.retry(key)} />
        )}
        {state === 'sent' ? (
          <IconButton icon="trash" label={t('public.removeSent', { name })} onClick={remove} />
        ) : (
          state !== 'removed' && <IconButton icon="x" label={t('public.cancelSending', { name })} onClick={remove} />
        )}
      </div>
    </li>
  )
}

function StateText({ item, isNameless }: Pick<SentRowProps, 'item' | 'isNameless'>) {
  const { state, sent, isLost = false, problem = 'other', receipt } = item
  const t = useText()
  const format = useFormat()
  const size = format.bytes(item.size)
  if (state === 'failed') return t(PROBLEMS[problem])
  if (state === 'removed') return t('public.removed')
  if (state === 'waiting') return t(isNameless ? 'public.waitsForName' : 'public.waiting')
  if (state === 'interrupted')
    return t(item.problem === undefined ? 'public.interrupted' : PROBLEMS[item.problem], {
      sent: format.bytes(sent),
      size,
    })
  if (state === 'sending')
    return isLost ? t('errors.connectionText') : t('public.sentOf', { sent: format.bytes(sent), size })
  if (receipt === undefined) return t('public.sent', { size })
  const time = format.dateTime(new Date(receipt.removableUntil * 1000))
  return `${t('public.sent', { size })} ${t('public.removableUntil', { time })}`
}
