import { useId } from 'react'
import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Note } from '../kit/feedback/note.tsx'
import { Spinner } from '../kit/feedback/progress.tsx'
import styles from './login-page.module.css'
import type { Captcha } from './use-captcha.ts'

/** The place of the captcha, and what to do when it does not come. */
export function CaptchaField({ captcha }: { captcha: Captcha }) {
  const t = useText()
  const labelId = useId()
  return (
    <div className={styles['captcha']} role="group" aria-labelledby={labelId}>
      <span id={labelId}>{t('login.captcha')}</span>
      {captcha.status === 'loading' && (
        <span className={styles['loading']} role="status">
          <Spinner size={16} />
          {t('login.captchaLoading')}
        </span>
      )}
      {captcha.status === 'missing' && (
        <Note icon="error" tone="danger" role="alert">
          {t('login.captchaMissing')}
          <Button size="small" icon="retry" onClick={captcha.retry}>
            {t('errors.retry')}
          </Button>
        </Note>
      )}
      <div ref={captcha.place} className={styles['widget']} />
    </div>
  )
}
