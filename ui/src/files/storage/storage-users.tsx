import { useQuery } from '@tanstack/react-query'
import { listQuotas } from '../../../../src/api/access/quotas.ts'
import { useClient } from '../../api/client.ts'
import { Refusal } from '../../common/refusal.tsx'
import { problemOf } from '../../common/problem-text.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/button.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { ErrorNote } from '../../kit/feedback/note.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Avatar } from '../../kit/text/names.tsx'
import { QuotaMeter } from './meter.tsx'
import styles from './storage-page.module.css'

/** How much each user with a quota has, for administrators: those who have most come first. */
export function StorageUsers() {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: ['quotas'],
    queryFn: ({ signal }) => client.call(listQuotas, { signal }),
    throwOnError: false,
    staleTime: 0,
  })
  if (error !== null)
    return (
      <ErrorNote>
        <Refusal problem={problemOf(error)} />
      </ErrorNote>
    )
  if (data === undefined) return null
  if (data.length === 0) {
    return (
      <EmptyState
        art={<Icon name="users" size={56} />}
        title={t('storage.noQuotas')}
        actions={<AppLink to="/settings/users">{t('palette.users')}</AppLink>}
      >
        {t('storage.noQuotasText')}
      </EmptyState>
    )
  }
  const sorted = data.toSorted((one, other) => (other.used?.bytes ?? -1) - (one.used?.bytes ?? -1))
  return (
    <ol className={styles['users']} aria-label={t('storage.users')}>
      {sorted.map(({ userId, username, scope, used, limit }) => (
        <li key={userId}>
          <Avatar name={username} />
          <div>
            <AppLink className="touch" to={`/settings/users/${userId}`}>
              <bdi className="clip">{username}</bdi>
            </AppLink>
            <bdi dir="ltr" className="clip mono subtle">
              {scope}
            </bdi>
          </div>
          <div className={styles['meters']}>
            {used === null ? (
              <span className="subtle">{t('storage.notCounted', { limit: format.bytes(limit.bytes) })}</span>
            ) : (
              <QuotaMeter quota={{ used, limit }} />
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
