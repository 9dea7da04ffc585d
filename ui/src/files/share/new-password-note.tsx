import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Note } from '../../kit/feedback/note.tsx'
import styles from './shares.module.css'
import { useCopy } from './use-copy.ts'

/** The only time that a password is seen: the server keeps nothing that it could be read from. */
export function NewPassword({ password }: { readonly password: string }) {
  const t = useText()
  const copy = useCopy()
  return (
    <Note icon="key" tone="warning">
      <p>{t('shares.passwordOnce')}</p>
      <div className={styles['password']}>
        <bdi dir="ltr" className="mono">
          {password}
        </bdi>
        <Button
          size="small"
          icon="copy"
          onClick={() => void copy({ text: password, success: t('shares.passwordCopied') })}
        >
          {t('shares.copyPassword')}
        </Button>
      </div>
    </Note>
  )
}
