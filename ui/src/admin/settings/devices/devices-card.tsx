import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { revokeSession, revokeSessions } from '../../../../../src/api/sessions.ts'
import type { SessionView } from '../../../../../src/domain/session.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { DeviceRow } from './device-row.tsx'
import styles from './devices.module.css'
import { devicesQuery, othersOf } from './devices-query.ts'

/** Where one is signed in, and the way to end it there. */
export function DevicesCard() {
  const t = useText()
  const client = useClient()
  const { data, isPending, refetch } = useQuery({ ...devicesQuery(client), throwOnError: false })
  const { one, all } = useSignOut()
  const now = useMinutes()
  const others = othersOf(data ?? [])
  const signOutAll = (
    <Button variant="danger-quiet" progress={all.isPending ? 'busy' : 'idle'} onClick={() => all.mutate()}>
      {t('devices.signOutOthers')}
    </Button>
  )
  return (
    <SettingCard title={t('devices.title')} hint={t('devices.text')} footer={others.length > 1 && signOutAll}>
      {data !== undefined && (
        <ul className={styles['list']} aria-label={t('devices.title')}>
          {inOrder(data).map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              now={now}
              busy={one.isPending && one.variables.id === device.id}
              onSignOut={(name) => one.mutate({ id: device.id, name })}
            />
          ))}
        </ul>
      )}
      {data === undefined && (
        <div className={styles['wait']} role="status">
          {isPending ? <Spinner size={24} /> : <p>{t('devices.failed')}</p>}
          {isPending && <span className="visually-hidden">{t('devices.loading')}</span>}
          {!isPending && (
            <Button icon="retry" onClick={() => void refetch()}>
              {t('settings.retry')}
            </Button>
          )}
        </div>
      )}
    </SettingCard>
  )
}

function useSignOut() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const look = () => queries.invalidateQueries({ queryKey: ['sessions'] })
  const onError = () => toasts.error(t('devices.signOutFailed'))
  const one = useMutation({
    mutationFn: async ({ id }: { id: string; name: string }) => {
      await client.call(revokeSession, { params: { id } }).catch((error: unknown) => {
        // Gone already, which is what was wanted.
        if (!(error instanceof ApiError) || error.status !== 404) throw error
      })
    },
    onSuccess: (_, { name }) => toasts.success(t('devices.signedOutOne', { name })),
    onError,
    onSettled: look,
  })
  const all = useMutation({
    mutationFn: async () => await client.call(revokeSessions, { query: {} }),
    onSuccess: ({ revoked }) => toasts.success(t('devices.signedOutOthers', { count: revoked })),
    onError,
    onSettled: look,
  })
  return { one, all }
}

/** This device first, then those that were used last. */
function inOrder(devices: readonly SessionView[]): SessionView[] {
  return [...devices.filter(({ current }) => current), ...othersOf(devices)]
}

const MINUTE = 60_000

/** The time, to the minute: "2 minutes ago" grows old by itself. */
function useMinutes(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}
