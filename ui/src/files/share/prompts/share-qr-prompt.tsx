import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { QrCode } from '../../../kit/text/qr-code.tsx'
import styles from '../shares.module.css'

interface ShareQrPromptProps extends PromptProps<never> {
  readonly name: string
  readonly link: string
}

/** The link as a QR code, for the camera of a phone. */
export function ShareQrPrompt({ name, link, close }: ShareQrPromptProps) {
  const t = useText()
  return (
    <Dialog
      title={t('shares.qrTitle', { name })}
      onClose={() => close()}
      footer={
        <Button variant="primary" onClick={() => close()}>
          {t('shares.done')}
        </Button>
      }
    >
      <div className={styles['qr']}>
        <QrCode text={link} label={t('shares.qrLabel', { name })} size={240} />
        <bdi dir="ltr" className={styles['qr-link']}>
          {link}
        </bdi>
      </div>
    </Dialog>
  )
}
