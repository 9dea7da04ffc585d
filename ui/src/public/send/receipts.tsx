import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { copyText } from '../../lib/copy-text.ts'
import styles from './send.module.css'
import type { SentFile } from './sender.ts'

/** Names, sizes and checksums of all that has arrived, on request. */
export function Receipts({ files }: { readonly files: readonly SentFile[] }) {
  const t = useText()
  const toasts = useToasts()
  const receipts = files.flatMap(({ key, state, receipt }) =>
    state === 'sent' && receipt !== undefined ? { ...receipt, key } : [],
  )
  if (receipts.length === 0) return null
  const lines = receipts.map(({ sha256, size, name }) => `${sha256 ?? ''}  ${size}  ${name}`)
  const copy = async (): Promise<void> => {
    if (await copyText(lines.join('\n'))) toasts.success(t('public.receiptCopied'))
    else toasts.error(t('public.notCopied'))
  }
  return (
    <details className={styles['receipts']}>
      <summary>{t('details.title')}</summary>
      <ul>
        {receipts.map(({ key, name, sha256 }) => (
          <li key={key}>
            <FileName name={name} />
            {sha256 !== null && (
              <span className={styles['sum']}>
                SHA-256 <code>{sha256}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
      <Button icon="copy" onClick={() => void copy()}>
        {t('public.copyReceipt')}
      </Button>
    </details>
  )
}
