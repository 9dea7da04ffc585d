import { useMutation, useQueryClient } from '@tanstack/react-query'
import { revokeSession, revokeSessions } from '../../../../../src/api/accounts/sessions.ts'
import type { UserView } from '../../../../../src/domain/accounts/user.ts'
import { ignoreGone } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { DeviceRow } from '../../settings/profile/devices-card.tsx'
import { useAllSessions } from '../use-users.ts'
import styles from './user-page.module.css'

interface DevicesCardProps {
  readonly user: UserView
  readonly isSelf: boolean
}

/** The user's devices, each with a button to sign it out. */
export function DevicesCard({ user, isSelf }: DevicesCardProps) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const devices = useAllSessions()?.filter(({ userId }) => userId === user.id)
  const end = {
    onError: (error: Error) => toasts.error(problemText(t, problemOf(error))),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  }
  const one = useMutation({
    ...end,
    mutationFn: async (id: string) => {
      await client.call(revokeSession, { params: { id } }).catch(ignoreGone)
    },
    onSuccess: () => toasts.success(t('users.deviceSignedOut')),
  })
  const all = useMutation({
    ...end,
    mutationFn: async () => await client.call(revokeSessions, { query: isSelf ? {} : { userId: user.id } }),
    onSuccess: () => toasts.success(t('users.signedOutNow', { count: 1 })),
  })
  if (devices === undefined) return null
  const others = devices.filter(({ current }) => !current)
  const now = new Date()
  return (
    <SettingCard
      title={t('users.devicesTitle')}
      footer={
        others.length > 1 && (
          <Button
            variant="danger-quiet"
            size="small"
            progress={all.isPending ? 'busy' : 'idle'}
            onClick={() => all.mutate()}
          >
            {t(isSelf ? 'users.signOutOthers' : 'users.signOutEverywhere')}
          </Button>
        )
      }
    >
      {devices.length === 0 ? (
        <p className={styles['stack']}>{t('users.noDevices')}</p>
      ) : (
        <ul aria-label={t('users.devicesTitle')}>
          {devices.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              now={now}
              busy={one.isPending && one.variables === device.id}
              onSignOut={() => one.mutate(device.id)}
            />
          ))}
        </ul>
      )}
    </SettingCard>
  )
}
