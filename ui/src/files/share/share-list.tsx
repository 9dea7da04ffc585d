import { useEffect, useState } from 'react'
import type { ShareHash } from '../../../../src/domain/ids.ts'
import { givesFiles, receivesFiles } from '../../../../src/domain/shares/share-terms.ts'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useShareLinks } from './share-links.ts'
import { type ShareActions, useShareActions } from './use-share-actions.ts'
import { useUser } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { NewPassword } from './share-form.tsx'
import { useFormat, useNow } from '../../i18n/use-format.ts'
import { Badge } from '../../kit/feedback/note.tsx'
import {
  ArrivalsBadge,
  type BadgeOfShareProps,
  ExpiryBadge,
  PasswordBadge,
  ShareTexts,
  TargetBadge,
  UsedUpBadge,
  useLeft,
} from './share-facts.tsx'
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
        <ArrivalsBadge count={share.unseenFiles} />
      </div>
      <ShareTexts share={share} />
    </div>
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
