import { useMutation } from '@tanstack/react-query'
import { forgetDevice } from '../../../../../src/api/accounts/factors.ts'
import type { FactorsView, TrustedDeviceView } from '../../../../../src/domain/accounts/factors.ts'
import { ignoreGone } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { deviceName } from '../profile/devices-card.tsx'
import styles from '../rows.module.css'
import { readUserAgent } from '../profile/user-agent.ts'
import { useFactorsChanged, useReportProblem } from './use-factors.ts'

/** The devices that are not asked for the second step. */
export function TrustedCard({ trusted }: Pick<FactorsView, 'trusted'>) {
  const t = useText()
  return (
    <SettingCard title={t('security.trusted')} hint={t('security.trustedText')}>
      <ul className={styles['list']} aria-label={t('security.trusted')}>
        {trusted.map((device) => (
          <TrustedRow key={device.id} device={device} />
        ))}
      </ul>
    </SettingCard>
  )
}

function TrustedRow({ device: { id, userAgent, since, until, current } }: { readonly device: TrustedDeviceView }) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const changed = useFactorsChanged()
  const report = useReportProblem()
  const forget = useMutation({
    mutationFn: async () => await client.call(forgetDevice, { params: { id } }).catch(ignoreGone),
    onError: report,
    onSettled: changed,
  })
  const facts = readUserAgent(userAgent)
  const name = deviceName(facts, t)
  return (
    <li className={styles['row']} aria-label={name}>
      <span className={styles['disc']}>
        <Icon name={facts.mobile ? 'phone' : 'laptop'} size={20} />
      </span>
      <div className="grow">
        <p className="strong clip" title={userAgent}>
          {name}
        </p>
        <p className="tiny subtle">
          <time dateTime={since}>
            {t('security.added', { when: format.relativeTime(new Date(since), new Date()) })}
          </time>
          {' · '}
          <time dateTime={until}>{t('security.trustedUntil', { date: format.dateTime(new Date(until)) })}</time>
        </p>
      </div>
      {current && <Badge tone="ok">{t('devices.this')}</Badge>}
      <IconButton
        icon="trash"
        label={t('security.untrust', { name })}
        disabled={forget.isPending}
        onClick={() => forget.mutate()}
      />
    </li>
  )
}
