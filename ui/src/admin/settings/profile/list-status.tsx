import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import styles from './devices.module.css'

interface ListStatusProps {
  readonly isPending: boolean
  readonly loading: string
  readonly failed: string
  readonly onRetry: () => void
}

/** In place of a list that is being fetched, or could not be. */
export function ListStatus({ isPending, loading, failed, onRetry }: ListStatusProps) {
  const t = useText()
  return (
    <div className={styles['wait']} role="status">
      {isPending ? <Spinner size={24} /> : <p>{failed}</p>}
      {isPending && <span className="visually-hidden">{loading}</span>}
      {!isPending && (
        <Button icon="retry" onClick={onRetry}>
          {t('settings.retry')}
        </Button>
      )}
    </div>
  )
}
