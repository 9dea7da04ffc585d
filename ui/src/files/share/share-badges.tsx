import { useLingui } from '@lingui/react'
import { useMemo } from 'react'
import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Badge } from '../../kit/feedback/note.tsx'
import { createFormatLeft, type FormatLeft } from '../../lib/format-left.ts'
import { expiryOf } from './model/expiry.ts'

interface BadgeOfShareProps {
  readonly share: ShareDetails
  readonly now: Date
}

const TONES = { never: 'ok', expired: 'danger', soon: 'danger', today: 'warning', later: 'neutral' } as const

function useFormatLeft(): FormatLeft {
  const { locale } = useLingui().i18n
  return useMemo(() => createFormatLeft(locale), [locale])
}

/** When a link ends, in words and colour; the exact time on hover. */
export function ExpiryBadge({ share: { expire }, now }: BadgeOfShareProps) {
  const t = useText()
  const format = useFormat()
  const left = useFormatLeft()
  const expiry = expiryOf(expire, now)
  const end = new Date(expire * 1000)
  return (
    <Badge tone={TONES[expiry]} icon="clock" title={expiry === 'never' ? undefined : format.dateTime(end)}>
      {expiry === 'never' ? t('shares.neverExpires') : expiry === 'expired' ? t('shares.expired') : left(end, now)}
    </Badge>
  )
}

export function PasswordBadge() {
  const t = useText()
  return <Badge icon="lock">{t('shares.password')}</Badge>
}

/** Says that visitors find nothing, and why. */
export function TargetBadge({ target }: Pick<ShareDetails, 'target'>) {
  const t = useText()
  if (target === 'bound') return null
  return (
    <Badge tone="danger" icon="unlink" title={t(target === 'missing' ? 'shares.missingText' : 'shares.changedText')}>
      {t(target === 'missing' ? 'shares.missing' : 'shares.changed')}
    </Badge>
  )
}

/** "Opened 14 times, last 3 days ago". */
export function Opened({ share: { openings, lastOpened }, now }: BadgeOfShareProps) {
  const t = useText()
  const format = useFormat()
  const last = new Date(lastOpened * 1000)
  if (openings === 0 || lastOpened === 0) return t('shares.opened', { count: openings })
  return (
    <span title={format.dateTime(last)}>
      {t('shares.openedLast', { count: openings, when: format.relativeTime(last, now) })}
    </span>
  )
}
