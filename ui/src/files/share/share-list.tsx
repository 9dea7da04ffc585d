import { useEffect, useMemo, useState } from 'react'
import type { ShareHash } from '../../../../src/domain/ids.ts'
import { givesFiles, receivesFiles } from '../../../../src/domain/shares/share-terms.ts'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { useText, useLocale } from '../../i18n/use-text.tsx'
import { useShareLinks } from './share-links.ts'
import { type ShareActions, useShareActions } from './use-share-actions.ts'
import { useUser } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { NewPassword } from './share-form.tsx'
import { useFormat, useNow } from '../../i18n/use-format.ts'
import { Badge } from '../../kit/feedback/note.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { type FormatLeft, createFormatLeft } from '../../lib/format.ts'
import { urgencyOf } from './expiry.ts'
import { KIND_ICONS, KINDS } from './terms-fields.tsx'
import styles from './shares.module.css'

/** A link created just now. */
export interface CreatedShare {
  readonly hash: ShareHash
  readonly password: string
  /** It is already on the clipboard. */
  readonly copied: boolean
}

interface ShareListProps {
  /** Permanent links first, then by expiry. */
  readonly shares: readonly ShareDetails[]
  readonly made: CreatedShare | undefined
}

/** All links of one file or folder. */
export function ShareList({ shares, made }: ShareListProps) {
  const t = useText()
  const actions = useShareActions()
  const now = useNow()
  const [copied, setCopied] = useCopied(made)
  const main = shares.find(({ hash }) => hash === made?.hash) ?? shares[0]
  return (
    <ul className={styles['cards']} aria-label={t('shell.shares')}>
      {shares.map((share) => {
        const own = share.hash === made?.hash ? made : undefined
        return (
          <ShareCard
            key={share.hash}
            share={share}
            now={now}
            actions={actions}
            isMain={share === main}
            copied={share.hash === copied}
            onCopied={() => setCopied(share.hash)}
            newPassword={own?.password || undefined}
          />
        )
      })}
    </ul>
  )
}

/** Milliseconds. */
const COPIED_DURATION = 5000

/** The link that was just copied, on creation or by its button. */
function useCopied(made: CreatedShare | undefined) {
  const [known, setKnown] = useState<CreatedShare>()
  const [copied, setCopied] = useState<ShareHash>()
  if (made !== known) {
    setKnown(made)
    setCopied(made?.copied === true ? made.hash : undefined)
  }
  useEffect(() => {
    const timer = setTimeout(() => setCopied(undefined), COPIED_DURATION)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, setCopied] as const
}

interface ShareCardProps {
  readonly share: ShareDetails
  readonly now: Date
  readonly actions: ShareActions
  /** Its copy button is the main button of the dialog. */
  readonly isMain: boolean
  /** It was copied just now. */
  readonly copied: boolean
  readonly onCopied: () => void
  /** Set just now; shown until the dialog closes. */
  readonly newPassword: string | undefined
}

/** One link: its URL, its expiry and password, and its actions. */
function ShareCard({ share, now, actions, isMain, copied, onCopied, newPassword }: ShareCardProps) {
  const t = useText()
  const links = useShareLinks()
  const me = useUser()?.id
  const link = links.page(share)
  const copy = async (): Promise<void> => {
    if (await actions.copyLink(share, true)) onCopied()
  }
  return (
    <li className={styles['card']}>
      <div className={styles['address']}>
        <a className={styles['url']} dir="ltr" href={link} target="_blank" rel="noopener" title={t('shares.open')}>
          {link.replace(/^https?:\/\//, '')}
        </a>
        <IconButton icon="qr" size="small" label={t('shares.showQr')} onClick={() => actions.showQr(share)} />
        <Button
          size="small"
          variant={isMain ? 'primary' : 'secondary'}
          icon={copied ? 'check' : 'copy'}
          autoFocus={isMain}
          data-autofocus={isMain ? '' : undefined}
          onClick={() => void copy()}
        >
          {t(copied ? 'shares.copiedShort' : 'shares.copy')}
        </Button>
      </div>
      {newPassword !== undefined && <NewPassword password={newPassword} />}
      <div className={styles['facts']}>
        <ExpiryBadge share={share} now={now} />
        {share.hasPassword && <PasswordBadge />}
        <TargetBadge target={share.target} />
        <span className={styles['opened']}>
          <Opened share={share} now={now} />
          {share.userID !== me && <bdi> · {share.username}</bdi>}
        </span>
        <CardActions share={share} actions={actions} />
      </div>
      <TermsFacts share={share} actions={actions} />
      {share.target !== 'bound' && (
        <div className={styles['broken']}>
          <p>{t(share.target === 'missing' ? 'shares.missingText' : 'shares.changedText')}</p>
          {share.target === 'changed' && (
            <Button size="small" onClick={() => void actions.rebind(share)}>
              {t('shares.rebind')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

/** What a link is for, what is left of its limits, what it received, and what its owner wrote. */
function TermsFacts({ share, actions }: Pick<ShareCardProps, 'share' | 'actions'>) {
  const t = useText()
  const { terms } = share
  return (
    <div className={styles['about']}>
      <div className={styles['facts']}>
        <Badge icon={KIND_ICONS[terms.allows]}>{t(KINDS[terms.allows])}</Badge>
        <UsedUpBadge share={share} />
        {useLeft(share).map((text) => (
          <span key={text} className={styles['terms']}>
            {text}
          </span>
        ))}
        {receivesFiles(terms) && (
          <Button size="small" onClick={() => actions.showArrivals(share)}>
            {t('shares.received', { count: share.receivedFiles })}
          </Button>
        )}
      </div>
      <ShareTexts share={share} />
    </div>
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
export function UsedUpBadge({
  share: { terms, downloads, receivedFiles, receivedBytes },
}: Pick<ShareCardProps, 'share'>) {
  const t = useText()
  const { maxDownloads, maxFiles, maxBytes } = terms
  const isReached = (most: number, used: number) => most > 0 && used >= most
  const isUsedUp =
    (givesFiles(terms) && isReached(maxDownloads, downloads)) ||
    (receivesFiles(terms) && (isReached(maxFiles, receivedFiles) || isReached(maxBytes, receivedBytes)))
  if (!isUsedUp) return null
  return (
    <Badge tone="warning" icon="ban">
      {t('shares.usedUp')}
    </Badge>
  )
}

/** The title that visitors see, and the note that they do not see. */
export function ShareTexts({ share: { terms } }: Pick<ShareCardProps, 'share'>) {
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

function CardActions({ share, actions }: Pick<ShareCardProps, 'share' | 'actions'>) {
  const t = useText()
  const { sendOn } = actions
  return (
    <span className={styles['actions']}>
      <DirectLinkButton share={share} actions={actions} />
      {sendOn && <IconButton icon="share" size="small" label={t('shares.sendOn')} onClick={() => sendOn(share)} />}
      <IconButton icon="rename" size="small" label={t('shares.edit')} onClick={() => actions.edit(share)} />
      <IconButton
        icon="trash"
        size="small"
        label={t('shares.delete', { count: 1 })}
        onClick={() => void actions.remove([share])}
      />
    </span>
  )
}

/** Stays focusable while disabled, so that its label can say why. Links that give out no files have no button. */
function DirectLinkButton({ share, actions }: Pick<ShareCardProps, 'share' | 'actions'>) {
  const t = useText()
  if (!givesFiles(share.terms)) return null
  const locked = share.hasPassword
  return (
    <IconButton
      icon="download"
      size="small"
      label={t(locked ? 'shares.noDirect' : 'shares.copyDirect')}
      aria-disabled={locked}
      onClick={() => {
        if (!locked) void actions.copyDirect(share)
      }}
    />
  )
}

interface BadgeOfShareProps {
  readonly share: ShareDetails
  readonly now: Date
}

const TONES = { never: 'ok', expired: 'danger', soon: 'danger', today: 'warning', later: 'neutral' } as const

function useFormatLeft(): FormatLeft {
  const locale = useLocale()
  return useMemo(() => createFormatLeft(locale), [locale])
}

/** When a link expires, in words and colour; the exact time on hover. */
export function ExpiryBadge({ share: { expire }, now }: BadgeOfShareProps) {
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

/** "Opened 14 times, last 3 days ago". */
function Opened({ share: { openings, lastOpened }, now }: BadgeOfShareProps) {
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
