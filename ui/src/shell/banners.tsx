import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useServerReachable } from '../api/use-server-reachable.ts'
import { useFormat } from '../i18n/use-format.ts'
import { RichText, useText } from '../i18n/use-text.tsx'
import { Button, AppLink, buttonClass } from '../kit/button/button.tsx'
import { Banner } from '../kit/feedback/banner.tsx'
import { useConfig } from '../api/page-config.tsx'

/** Shown while the server cannot be reached. Loaded data stays visible and is refetched afterwards. */
export function OfflineBanner() {
  const t = useText()
  const format = useFormat()
  const queries = useQueryClient()
  const { online, hasNetwork, keptAt } = useServerReachable()
  const wasOnline = useRef(online)
  useEffect(() => {
    if (online && !wasOnline.current) void queries.invalidateQueries()
    wasOnline.current = online
  }, [online, queries])
  const retry = (): void => {
    // Makes the live connection try again; it reports the result.
    onlineManager.setOnline(true)
    void queries.invalidateQueries()
  }
  if (online) return null
  return (
    <Banner
      icon="offline"
      action={
        <Button variant="ghost" size="small" onClick={retry}>
          {t('errors.retry')}
        </Button>
      }
    >
      {hasNetwork || keptAt !== null ? (
        <b>{t('files.noConnection')}</b>
      ) : (
        <RichText id="shell.offline" elements={[<b key="0" />]} />
      )}{' '}
      {keptAt !== null && <time className="num">{format.dateTime(new Date(keptAt))}</time>}
    </Banner>
  )
}

/** Reminds administrators that nobody else is let in. */
export function MaintenanceBanner() {
  const t = useText()
  const { Maintenance } = useConfig()
  if (Maintenance === undefined) return null
  return (
    <Banner
      icon="alert"
      action={
        <AppLink to="/settings/global/maintenance" className={buttonClass({ variant: 'ghost', size: 'small' })}>
          {t('shell.settings')}
        </AppLink>
      }
    >
      <b>{t('maintenance.adminsOnly')}</b>
    </Banner>
  )
}
