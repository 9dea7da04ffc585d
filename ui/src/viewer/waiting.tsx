import { useText } from '../i18n/use-text.tsx'
import { Spinner } from '../kit/feedback/progress.tsx'
import styles from './viewer.module.css'

/** Unseen at first: most files are there before anybody needs to be told to wait. */
export function Waiting() {
  const t = useText()
  return (
    <div className={styles['waiting']} role="status" aria-label={t('viewer.loading')}>
      <Spinner size={24} />
    </div>
  )
}
