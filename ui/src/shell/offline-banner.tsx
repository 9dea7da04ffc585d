import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useReach } from '../api/use-reach.ts'
import { useFormat } from '../i18n/use-format.ts'
import { RichText, useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { Fill } from '../kit/page/slot.tsx'
import styles from './offline-banner.module.css'

/** Says so while the server cannot be reached. What was seen stays visible; it is fetched again when the server is back. */
export function OfflineBanner() {
  const t = useText()
  const format = useFormat()
  const queries = useQueryClient()
  const { online, hasNetwork, keptAt } = useReach()
  const wasOnline = useRef(online)
  useEffect(() => {
    if (online && !wasOnline.current) void queries.invalidateQueries()
    wasOnline.current = online
  }, [online, queries])
  const retry = (): void => {
    // Until it turns out otherwise: the live connection tries again.
    onlineManager.setOnline(true)
    void queries.invalidateQueries()
  }
  if (online) return null
  return (
    <Fill slot="banner">
      <div className={styles['banner']} role="status">
        <Icon name="offline" />
        <span className={styles['text']}>
          {hasNetwork || keptAt !== null ? (
            <b>{t('files.noConnection')}</b>
          ) : (
            <RichText id="shell.offline" elements={[<b key="0" />]} />
          )}{' '}
          {keptAt !== null && <time className="num">{format.dateTime(new Date(keptAt))}</time>}
        </span>
        <Button variant="ghost" size="small" onClick={retry}>
          {t('errors.retry')}
        </Button>
      </div>
    </Fill>
  )
}
