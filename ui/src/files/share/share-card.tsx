import type { ShareDetails } from '../../../../src/domain/share.ts'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { NewPassword } from './new-password-note.tsx'
import { ExpiryBadge, Opened, PasswordBadge, TargetBadge } from './share-badges.tsx'
import styles from './shares.module.css'
import type { ShareActions } from './use-share-actions.ts'
import { useShareLinks } from './use-share-links.ts'

interface ShareCardProps {
  readonly share: ShareDetails
  readonly now: Date
  readonly actions: ShareActions
  /** The one whose button is the main one of the dialog. */
  readonly isMain: boolean
  /** It is the one that was copied just now. */
  readonly copied: boolean
  readonly onCopied: () => void
  /** Just given to it; shown until the dialog closes. */
  readonly newPassword: string | undefined
}

/** One link: its address, what a visitor needs to know, and what can be done with it. */
export function ShareCard({ share, now, actions, isMain, copied, onCopied, newPassword }: ShareCardProps) {
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

/** Stays where the keyboard finds it when it cannot be used, so that it can say why. */
function DirectLinkButton({ share, actions }: Pick<ShareCardProps, 'share' | 'actions'>) {
  const t = useText()
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
