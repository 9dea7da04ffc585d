import { useMemo } from 'react'
import { createNameOrder } from '../../../../../src/domain/files/name-order.ts'
import { NO_ROOT } from '../../../../../src/domain/accounts/place.ts'
import { cleanVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText, type MessageId, type Translate, useLocale } from '../../../i18n/use-text.tsx'
import { AppLink } from '../../../kit/button/button.tsx'
import { Avatar } from '../../../kit/text/names.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { Progress } from '../../../kit/feedback/progress.tsx'
import { toneOf } from '../../../files/storage/meter.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import type { TableColumn } from '../../../kit/table/table-sections.tsx'
import { createFormatWhen } from '../../../lib/format.ts'
import styles from './users-page.module.css'
import type { QuotaView } from '../../../../../src/domain/access/quota.ts'
import { PLAIN_PERMISSIONS, type PlainPermission } from '../../forms/permission-fields.tsx'
import type { SessionView } from '../../../../../src/domain/accounts/session.ts'
import { createWordFilter } from '../../../../../src/domain/text/find-in-text.ts'
import type { UserView } from '../../../../../src/domain/accounts/user.ts'

/** Columns of the users table. @param shown whether any user has a quota, or is in a group */
export function useUserColumns({
  withUsage,
  withGroups,
}: {
  readonly withUsage: boolean
  readonly withGroups: boolean
}): readonly TableColumn<UserRow>[] {
  const t = useText()
  const format = useFormat()
  const { EnableExec } = useConfig()
  const locale = useLocale()
  return useMemo(() => {
    const compare = createNameOrder()
    const when = createFormatWhen(locale)
    const may = createMayText(t, locale, EnableExec)
    const usage: TableColumn<UserRow> = {
      id: 'usage',
      head: t('shell.storage'),
      compare: (a, b) => shareOf(a.quota) - shareOf(b.quota),
      cell: ({ quota }) => quota && <Usage quota={quota} />,
    }
    const groups: TableColumn<UserRow> = {
      id: 'groups',
      head: t('shell.groups'),
      spare: true,
      compare: (a, b) => compare(groupNames(a.user), groupNames(b.user)),
      cell: ({ user }) => (
        <span className={styles['may']} title={groupNames(user)}>
          {groupNames(user)}
        </span>
      ),
    }
    return [
      {
        id: 'username',
        head: t('login.username'),
        isTitle: true,
        compare: (a, b) => compare(a.user.username, b.user.username),
        cell: ({ user, isSelf }) => (
          <span className={styles['who']}>
            <Avatar name={user.username} />
            <AppLink className="touch" to={`/settings/users/${user.id}`}>
              <bdi className="clip">{user.username}</bdi>
            </AppLink>
            {user.disabled === true && <Badge>{t('users.disabled')}</Badge>}
            {isSelf && <Badge>{t('users.you')}</Badge>}
            {user.lockPassword && (
              <span role="img" aria-label={t('users.locked')} data-tooltip={t('users.locked')}>
                <Icon name="lock" size={14} />
              </span>
            )}
          </span>
        ),
      },
      {
        id: 'role',
        head: t('users.role'),
        spare: true,
        compare: (a, b) => Number(b.user.perm.admin) - Number(a.user.perm.admin),
        cell: ({ user }) =>
          user.perm.admin ? (
            <Badge tone="accent" icon="shield">
              {t('permissions.admin')}
            </Badge>
          ) : (
            <span className="subtle">{t('users.one')}</span>
          ),
      },
      {
        id: 'scope',
        head: t('users.scope'),
        compare: (a, b) => compare(a.user.scope, b.user.scope),
        cell: ({ user }) => (
          <bdi dir="ltr" className="mono">
            {user.root === NO_ROOT ? '—' : cleanVirtualPath(user.scope)}
          </bdi>
        ),
      },
      {
        id: 'may',
        head: t('permissions.title'),
        spare: true,
        cell: ({ user }) => (
          <span className={styles['may']} title={may((user.effective ?? user).perm)}>
            {may((user.effective ?? user).perm)}
          </span>
        ),
      },
      ...(withGroups ? [groups] : []),
      ...(withUsage ? [usage] : []),
      {
        id: 'seen',
        head: t('users.lastSeen'),
        compare: (a, b) => (a.lastSeen?.getTime() ?? 0) - (b.lastSeen?.getTime() ?? 0),
        cell: ({ lastSeen, devices }) =>
          devices === undefined ? null : (
            <span className={styles['seen']}>
              {lastSeen !== undefined && (
                <time dateTime={lastSeen.toISOString()} title={format.dateTime(lastSeen)}>
                  {when(lastSeen, new Date())}
                </time>
              )}
              <span className="subtle">
                {devices.length === 0 ? t('users.signedOut') : t('users.devices', { count: devices.length })}
              </span>
            </span>
          ),
      },
    ]
  }, [EnableExec, format, locale, t, withGroups, withUsage])
}

function groupNames({ groups = [] }: UserView): string {
  return groups.map(({ name }) => name).join(', ')
}

/** The fraction of a quota that is used; of two limits, the one that is nearer. 0 without a quota or a count. */
function shareOf(quota: QuotaView | undefined): number {
  if (!quota?.used) return 0
  const { used, limit } = quota
  return Math.max(limit.bytes > 0 ? used.bytes / limit.bytes : 0, limit.files > 0 ? used.files / limit.files : 0)
}

/** How much of a quota is used. Only the limit while nothing has been counted. */
function Usage({ quota }: { readonly quota: QuotaView }) {
  const t = useText()
  const format = useFormat()
  const { used, limit } = quota
  const amount = limit.bytes > 0 ? 'bytes' : 'files'
  const write = amount === 'bytes' ? format.bytes : format.number
  const total = write(limit[amount])
  if (used === null) return <span className="subtle">{total}</span>
  const share = shareOf(quota)
  const text = t('shell.usage', { used: write(used[amount]), total })
  return (
    <span className={styles['usage']}>
      <span>{text}</span>
      <Progress thin value={Math.min(1, share)} tone={toneOf(share)} label={t('shell.storage')} valueText={text} />
    </span>
  )
}

const SHORT: Readonly<Record<PlainPermission, MessageId>> = {
  create: 'permissions.shortCreate',
  rename: 'permissions.shortRename',
  modify: 'permissions.shortModify',
  delete: 'permissions.shortDelete',
  download: 'permissions.shortDownload',
  share: 'permissions.shortShare',
  execute: 'permissions.shortExecute',
}

/** A user's permissions in brief: "Everything", "Create, edit". */
export function createMayText(
  t: Translate,
  locale: string,
  withCommands: boolean,
): (perm: Readonly<Record<PlainPermission, boolean>>) => string {
  const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
  const known = PLAIN_PERMISSIONS.filter((name) => withCommands || name !== 'execute')
  return (perm) => {
    const given = known.filter((name) => perm[name])
    if (given.length === 0) return t('permissions.viewOnly')
    if (given.length === known.length) return t('permissions.everything')
    const text = list.format(given.map((name) => t(SHORT[name])))
    return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1)
  }
}

/** An account with its devices. */
export interface UserRow {
  readonly user: UserView
  /** Undefined while loading. */
  readonly devices: readonly SessionView[] | undefined
  /** Last use of any device; undefined if there was none. */
  readonly lastSeen: Date | undefined
  readonly isSelf: boolean
  /** Undefined without a quota, or while loading. */
  readonly quota: QuotaView | undefined
}

export function userRows(
  users: readonly UserView[],
  sessions: readonly SessionView[] | undefined,
  self: number | undefined,
  quotas: readonly QuotaView[] = [],
): readonly UserRow[] {
  const quotaOf = new Map(quotas.map((quota) => [quota.userId, quota]))
  const ofUser = sessions && Map.groupBy(sessions, ({ userId }) => userId)
  return users.map((user) => {
    const devices = ofUser && (ofUser.get(user.id) ?? [])
    const seen = [user, ...(devices ?? [])]
      .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
      .map((time) => Date.parse(time))
    const lastSeen = seen.length === 0 ? undefined : new Date(Math.max(...seen))
    return { user, devices, lastSeen, isSelf: user.id === self, quota: quotaOf.get(user.id) }
  })
}

/** Users whose name, scope or groups contain all typed words. */
export function findRows(rows: readonly UserRow[], typed: string): readonly UserRow[] {
  const fits = createWordFilter(typed)
  return rows.filter(({ user }) => fits(`${user.username} ${user.scope} ${groupNames(user)}`))
}
