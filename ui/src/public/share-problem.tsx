import { ApiError } from '../api/api-error.ts'
import { type MessageId, useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { EmptyState } from '../kit/feedback/empty-state.tsx'
import { Icon, type IconName } from '../kit/icon/icon.tsx'
import styles from './card.module.css'

interface Look {
  readonly icon: IconName
  readonly title: MessageId
  readonly text: MessageId
}

const FAILED: Look = { icon: 'error', title: 'public.failedTitle', text: 'public.failedText' }

/** Links that have expired, were removed or never were look alike: nobody learns which by trying. */
const LOOKS: Readonly<Record<number, Look>> = {
  0: { icon: 'offline', title: 'errors.connection', text: 'errors.connectionText' },
  403: { icon: 'lock', title: 'public.forbiddenTitle', text: 'public.forbiddenText' },
  404: { icon: 'unlink', title: 'public.goneTitle', text: 'public.goneText' },
}

/** Why a link does not open, and what to do about it. */
export function ShareProblem({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useText()
  const status = error instanceof ApiError ? error.status : 500
  const { icon, title, text } = LOOKS[status] ?? FAILED
  const final = status === 403 || status === 404
  return (
    <div className={styles['problem']}>
      <EmptyState
        heading="h1"
        role="alert"
        art={
          <span className={styles['disc']}>
            <Icon name={icon} size={24} />
          </span>
        }
        title={t(title)}
        actions={
          <Button variant={final ? 'secondary' : 'primary'} icon="retry" onClick={onRetry}>
            {t('errors.retry')}
          </Button>
        }
      >
        <p>{t(text)}</p>
      </EmptyState>
    </div>
  )
}
