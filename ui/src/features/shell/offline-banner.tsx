import { useQueryClient } from '@tanstack/react-query'
import { RichText, useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useOnline } from '../../lib/use-online.ts'
import styles from './offline-banner.module.css'

/** Says so while the browser has no network. What was loaded stays visible; it is fetched again when the network is back. */
export function OfflineBanner() {
  const t = useText()
  const queries = useQueryClient()
  const online = useOnline(() => void queries.invalidateQueries())
  if (online) return null
  return (
    <div className={styles['banner']} role="status">
      <Icon name="offline" />
      <span className={styles['text']}>
        <RichText id="shell.offline" elements={[<b key="0" />]} />
      </span>
      <Button variant="ghost" size="small" onClick={() => void queries.invalidateQueries()}>
        {t('errors.retry')}
      </Button>
    </div>
  )
}
