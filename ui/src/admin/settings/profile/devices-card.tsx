import { useMutation, useQuery, useQueryClient, queryOptions } from '@tanstack/react-query'
import { revokeSession, revokeSessions, listSessions } from '../../../../../src/api/accounts/sessions.ts'
import type { SessionView } from '../../../../../src/domain/accounts/session.ts'
import { ignoreGone } from '../../../api/api-error.ts'
import { useClient, type Client } from '../../../api/client.ts'
import { type MessageId, useLocale, useText, type Translate } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import styles from '../rows.module.css'
import { useFormat, useNow } from '../../../i18n/use-format.ts'
import { Badge } from '../../../kit/feedback/note.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { readUserAgent, type UserAgentFacts } from './user-agent.ts'
import { Spinner } from '../../../kit/feedback/progress.tsx'

/** The user's devices, each with a button to sign it out. */
export function DevicesCard() {
  const t = useText()
  const client = useClient()
  const { data, isPending, refetch } = useQuery({ ...devicesQuery(client), throwOnError: false })
  const { one, all } = useSignOut()
  const now = useNow()
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
        <ListStatus
          isPending={isPending}
          loading={t('devices.loading')}
          failed={t('devices.failed')}
          onRetry={() => void refetch()}
        />
      )}
    </SettingCard>
  )
}

function useSignOut() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['sessions'] })
    // Devices that are signed out are not trusted any more.
    await queries.invalidateQueries({ queryKey: ['factors'] })
  }
  const onError = () => toasts.error(t('devices.signOutFailed'))
  const one = useMutation({
    mutationFn: async ({ id }: { id: string; name: string }) => {
      await client.call(revokeSession, { params: { id } }).catch(ignoreGone)
    },
    onSuccess: (_, { name }) => toasts.success(t('devices.signedOutOne', { name })),
    onError,
    onSettled: refresh,
  })
  const all = useMutation({
    mutationFn: async () => await client.call(revokeSessions, { query: {} }),
    onSuccess: ({ revoked }) => toasts.success(t('devices.signedOutOthers', { count: revoked })),
    onError,
    onSettled: refresh,
  })
  return { one, all }
}

/** This device first, then by last use. */
function inOrder(devices: readonly SessionView[]): SessionView[] {
  return [...devices.filter(({ current }) => current), ...othersOf(devices)]
}

interface DeviceRowProps {
  readonly device: SessionView
  readonly now: Date
  /** Sign-out is in progress. */
  readonly busy: boolean
  readonly onSignOut: (name: string) => void
}

export function DeviceRow({ device, now, busy, onSignOut }: DeviceRowProps) {
  const t = useText()
  const format = useFormat()
  const facts = readUserAgent(device.userAgent)
  const name = deviceName(facts, t)
  const way = useSignInWay(device)
  const [lastSeen, signedIn] = [new Date(device.lastSeenAt), new Date(device.signedInAt)]
  const seen = device.current
    ? t('devices.signedIn', { when: format.relativeTime(signedIn, now) })
    : t('devices.active', { when: format.relativeTime(lastSeen, now) })
  return (
    <li className={styles['row']} aria-label={name}>
      <span className={styles['disc']}>
        <Icon name={facts.mobile ? 'phone' : 'laptop'} size={20} />
      </span>
      <div className="grow">
        <p className="strong clip" title={device.userAgent}>
          {name}
        </p>
        <p className="tiny subtle">
          <time
            dateTime={device.current ? device.signedInAt : device.lastSeenAt}
            title={t('devices.times', { signedIn: format.dateTime(signedIn), lastSeen: format.dateTime(lastSeen) })}
          >
            {seen}
          </time>
          {way !== '' && ` · ${way}`}
          {device.address !== '' && (
            <>
              {' · '}
              <bdi dir="ltr">{device.address}</bdi>
            </>
          )}
        </p>
      </div>
      {device.current ? (
        <Badge tone="ok">{t('devices.this')}</Badge>
      ) : (
        <Button
          size="small"
          progress={busy ? 'busy' : 'idle'}
          aria-label={t('devices.signOutOne', { name })}
          onClick={() => onSignOut(name)}
        >
          {t('devices.signOut')}
        </Button>
      )}
    </li>
  )
}

const WAYS: Readonly<Partial<Record<SessionView['method'], MessageId>>> = {
  json: 'login.password',
  hook: 'login.password',
  proxy: 'devices.byProxy',
  passkey: 'devices.byPasskey',
}

const FACTORS: Readonly<Record<NonNullable<SessionView['factor']>, MessageId>> = {
  totp: 'devices.withCode',
  passkey: 'devices.withPasskey',
  recovery: 'devices.withRecovery',
}

/** How the device was signed in, such as "Password and code". */
function useSignInWay({ method, provider, factor }: SessionView): string {
  const t = useText()
  const list = new Intl.ListFormat(useLocale(), { type: 'conjunction' })
  const label = WAYS[method]
  const first = provider ?? (label && t(label))
  return list.format([first, factor && t(FACTORS[factor])].filter((part) => part !== undefined))
}

export function deviceName({ program, system }: UserAgentFacts, t: Translate): string {
  if (program !== undefined && system !== undefined) return t('devices.name', { program, system })
  return program ?? system ?? t('devices.unknown')
}

/** The user's devices. A server event reports changes. */
export function devicesQuery(client: Client) {
  return queryOptions({
    queryKey: ['sessions', 'own'],
    queryFn: ({ signal }) => client.call(listSessions, { query: {}, signal }),
    staleTime: 0,
  })
}

export function othersOf(devices: readonly SessionView[]): SessionView[] {
  return devices.filter(({ current }) => !current)
}

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
