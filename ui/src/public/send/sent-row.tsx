import { useFormat } from '../../i18n/use-format.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
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
  connection: 'errors.connection',
  other: 'public.notSent',
}

interface SentRowProps {
  readonly item: SentFile
  readonly sender: Sender
}

/** One file: its progress, then its receipt. */
export function SentRow({ item, sender }: SentRowProps) {
  const t = useText()
  const toasts = useToasts()
  const { key, name, size, state, sent, problem, receipt } = item
  const canRetry = state === 'failed' && problem !== 'type' && problem !== 'size'
  const remove = (): void => void sender.remove(key).catch(() => toasts.error(t('public.notRemoved', { name })))
  return (
    <li className={styles['item']}>
      <FileGlyph type={kindOfName(name) ?? 'other'} size={24} />
      <div className={styles['middle']}>
        <span className={styles['name']} title={name}>
          <FileName name={name} />
        </span>
        <span className={styles['state']} data-failed={state === 'failed' || undefined} role="status">
          <StateText item={item} />
        </span>
        {(state === 'sending' || state === 'interrupted') && (
          <Progress thin value={size === 0 ? 1 : sent / size} label={name} />
        )}
        {state === 'sent' && receipt?.sha256 != null && (
          <span className={styles['sum']}>
            SHA-256 <code>{receipt.sha256}</code>
          </span>
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

function StateText({ item }: Pick<SentRowProps, 'item'>) {
  const { state, sent, isLost = false, problem = 'other', receipt } = item
  const t = useText()
  const format = useFormat()
  const size = format.bytes(item.size)
  if (state === 'failed') return t(PROBLEMS[problem])
  if (state === 'removed') return t('public.removed')
  if (state === 'waiting') return t('public.waiting')
  if (state === 'interrupted') return t('uploads.missingText', { count: 1 })
  if (state === 'sending')
    return isLost ? t('errors.connectionText') : t('public.sentOf', { sent: format.bytes(sent), size })
  if (receipt === undefined) return t('public.sent', { size })
  const time = format.dateTime(new Date(receipt.removableUntil * 1000))
  return `${t('public.sent', { size })} ${t('public.removableUntil', { time })}`
}
