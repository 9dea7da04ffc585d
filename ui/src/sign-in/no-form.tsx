import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Note } from '../kit/feedback/note.tsx'
import styles from './login-page.module.css'

/** Where people are signed in by something else than a form: asking for the page again signs them in. */
export function NoForm({ notice }: { notice: string | undefined }) {
  const t = useText()
  return (
    <div className={styles['card']}>
      {notice && (
        <Note icon="clock" role="status">
          {notice}
        </Note>
      )}
      <Button variant="primary" size="large" block onClick={() => location.reload()}>
        {t('login.again')}
      </Button>
    </div>
  )
}
