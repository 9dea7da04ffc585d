import { useMemo } from 'react'
import { givesFiles, receivesFiles } from '../../../../src/domain/shares/share-terms.ts'
import { isUsedUp, type ShareDetails } from '../../../../src/domain/shares/share.ts'
import { useText, useLocale } from '../../i18n/use-text.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { Badge } from '../../kit/feedback/note.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { type FormatLeft, createFormatLeft } from '../../lib/format.ts'
import { urgencyOf } from './expiry.ts'
import styles from './shares.module.css'

export interface BadgeOfShareProps {
  readonly share: ShareDetails
  readonly now: Date
}

interface ExpiryBadgeProps {
  readonly share: Pick<ShareDetails, 'expire'>
  readonly now: Date
}

const TONES = { never: 'ok', expired: 'danger', soon: 'danger', today: 'warning', later: 'neutral' } as const

function useFormatLeft(): FormatLeft {
  const locale = useLocale()
  return useMemo(() => createFormatLeft(locale), [locale])
}

/** When a link expires, in words and colour; the exact time on hover. */
export function ExpiryBadge({ share: { expire }, now }: ExpiryBadgeProps) {
  const t = useText()
  const format = useFormat()
  const formatLeft = useFormatLeft()
  const urgency = urgencyOf(expire, now)
  const end = new Date(expire * 1000)
  return (
    <Badge tone={TONES[urgency]} icon="clock" title={urgency === 'never' ? undefined : format.dateTime(end)}>
      {urgency === 'never'
        ? t('shares.neverExpires')
        : urgency === 'expired'
          ? t('shares.expired')
          : formatLeft(end, now)}
    </Badge>
  )
}

export function PasswordBadge() {
  const t = useText()
  return <Badge icon="lock">{t('login.password')}</Badge>
}

/** Warns that visitors find nothing, and why. */
export function TargetBadge({ target }: Pick<ShareDetails, 'target'>) {
  const t = useText()
  if (target === 'bound') return null
  return (
    <Badge tone="danger" icon="unlink" title={t(target === 'missing' ? 'shares.missingText' : 'shares.changedText')}>
      {t(target === 'missing' ? 'shares.missing' : 'shares.changed')}
    </Badge>
  )
}

/** What is left of the limits of a link, and how much has arrived by it. */
export function useLeft({ terms, downloads, receivedFiles, receivedBytes }: ShareDetails): string[] {
  const t = useText()
  const { bytes, number } = useFormat()
  const { maxDownloads, maxFiles, maxBytes } = terms
  const left = (id: LeftText, most: number, used: number, format: (value: number) => string) =>
    most > 0 && t(id, { left: format(Math.max(0, most - used)), most: format(most) })
  return [
    givesFiles(terms) && left('shares.downloadsLeft', maxDownloads, downloads, number),
    ...(receivesFiles(terms)
      ? [
          left('shares.filesLeft', maxFiles, receivedFiles, number),
          left('shares.spaceLeft', maxBytes, receivedBytes, bytes) || (receivedBytes > 0 && bytes(receivedBytes)),
        ]
      : []),
  ].filter((text) => text !== false)
}

type LeftText = 'shares.downloadsLeft' | 'shares.filesLeft' | 'shares.spaceLeft'

/** Tells that a limit of the link is reached. */
export function UsedUpBadge({ share }: Pick<BadgeOfShareProps, 'share'>) {
  const t = useText()
  if (!isUsedUp(share)) return null
  return (
    <Badge tone="warning" icon="ban">
      {t('shares.usedUp')}
    </Badge>
  )
}

/** How many files of visitors are new; nothing without any. */
export function ArrivalsBadge({ count }: { readonly count: number }) {
  const t = useText()
  const { number } = useFormat()
  if (count === 0) return null
  const label = t('shares.newArrivals', { count })
  return (
    <Badge tone="accent" title={label}>
      <span aria-hidden="true">{number(count)}</span>
      <span className="visually-hidden">{label}</span>
    </Badge>
  )
}

/** The title that visitors see, and the note that they do not see. */
export function ShareTexts({ share: { terms } }: Pick<BadgeOfShareProps, 'share'>) {
  const t = useText()
  const texts = [
    ['users', 'shares.titleField', terms.title],
    ['edit', 'shares.note', terms.note],
  ] as const
  return texts.map(
    ([icon, label, text]) =>
      text !== '' && (
        <p key={label} className={styles['text']} title={`${t(label)}\n${text}`}>
          <Icon name={icon} size={14} />
          <span className="visually-hidden">{t(label)}</span>
          <span>
            <bdi>{text}</bdi>
          </span>
        </p>
      ),
  )
}
