import { useId } from 'react'
import { createPortal } from 'react-dom'
import { useProductName } from '../../../api/page-config.tsx'
import { useUser } from '../../../api/session.ts'
import { useCopy } from '../../../files/share/share-links.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import styles from './security.module.css'

/** Codes that are shown once, with the ways to keep them. */
export function RecoveryCodeList({ codes }: { readonly codes: readonly string[] }) {
  const t = useText()
  const product = useProductName()
  const copy = useCopy()
  const label = useId()
  const text = codes.join('\n')
  const download = (): void => {
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: `${product}-recovery-codes.txt` })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <>
      <p id={label} className="small muted">
        {t('security.codesText')}
      </p>
      <ul className={styles['codes']} aria-labelledby={label} dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        <Button size="small" icon="download" onClick={download}>
          {t('security.download')}
        </Button>
        <Button size="small" icon="print" onClick={() => print()}>
          {t('security.print')}
        </Button>
        <Button size="small" icon="copy" onClick={() => void copy({ text, success: t('security.copied') })}>
          {t('security.copyAll')}
        </Button>
      </div>
      {createPortal(<PrintedCodes codes={codes} />, document.body)}
    </>
  )
}

/** What is printed instead of the page, while the codes are shown. */
function PrintedCodes({ codes }: { readonly codes: readonly string[] }) {
  const t = useText()
  const format = useFormat()
  const product = useProductName()
  const user = useUser()
  return (
    <section className={styles['sheet']} aria-hidden="true">
      <h1>{t('security.codesTitle')}</h1>
      <p>
        {product} · <bdi dir="ltr">{location.host}</bdi>
      </p>
      <p>
        <bdi>{user?.username}</bdi> · {format.dateTime(new Date())}
      </p>
      <ul dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p>{t('factor.recoveryText')}</p>
    </section>
  )
}

/** Only its button closes it, since the codes cannot be shown again. */
export function RecoveryCodesPrompt({ codes, close }: { readonly codes: readonly string[] } & PromptProps<never>) {
  const t = useText()
  return (
    <Dialog
      alert
      size="medium"
      title={t('security.codesTitle')}
      footer={
        <Button variant="primary" data-autofocus="" onClick={() => close()}>
          {t('security.codesKept')}
        </Button>
      }
    >
      <RecoveryCodeList codes={codes} />
    </Dialog>
  )
}
