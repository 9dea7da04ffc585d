import type { SessionView } from '../../../../../src/domain/session.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { type Translate, useText } from '../../../i18n/use-text.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { readUserAgent, type UserAgentFacts } from '../../../lib/user-agent.ts'
import styles from './devices.module.css'

interface DeviceRowProps {
  readonly device: SessionView
  readonly now: Date
  /** It is being signed out. */
  readonly busy: boolean
  readonly onSignOut: (name: string) => void
}

export function DeviceRow({ device, now, busy, onSignOut }: DeviceRowProps) {
  const t = useText()
  const format = useFormat()
  const facts = readUserAgent(device.userAgent)
  const name = deviceName(facts, t)
  const [lastSeen, signedIn] = [new Date(device.lastSeenAt), new Date(device.signedInAt)]
  const seen = device.current
    ? t('devices.signedIn', { when: format.relativeTime(signedIn, now) })
    : t('devices.active', { when: format.relativeTime(lastSeen, now) })
  return (
    <li className={styles['device']} aria-label={name}>
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

function deviceName({ program, system }: UserAgentFacts, t: Translate): string {
  if (program !== undefined && system !== undefined) return t('devices.name', { program, system })
  return program ?? system ?? t('devices.unknown')
}
