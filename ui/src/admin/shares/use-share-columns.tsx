import { useMemo } from 'react'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { createNameOrder } from '../../../../src/domain/files/name-order.ts'
import { useUser } from '../../api/session.ts'
import { useFormat, useNow } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import type { TableColumn } from '../../kit/table/table-sections.tsx'
import { classNames } from '../../lib/class-names.ts'
import { receivesFiles } from '../../../../src/domain/shares/share-terms.ts'
import { KIND_ICONS, KINDS } from '../../files/share/terms-fields.tsx'
import type { ShareActions } from '../../files/share/use-share-actions.ts'
import { byExpiry } from '../../files/share/expiry.ts'
import {
  ArrivalsBadge,
  ExpiryBadge,
  PasswordBadge,
  ShareTexts,
  TargetBadge,
  UsedUpBadge,
  useLeft,
} from '../../files/share/share-facts.tsx'
import styles from './shares-page.module.css'
import { AppLink } from '../../kit/button/button.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { FileGlyph, Icon } from '../../kit/icon/icon.tsx'
import { filesHref, parentFolder } from '../../lib/navigation/app-path.ts'
import { shareGlyph, shareName } from '../../files/share/share-links.ts'

/** Columns of the table. The owner column is shown only if there may be several owners. */
export function useShareColumns(
  shares: readonly ShareDetails[],
  actions: ShareActions,
): readonly TableColumn<ShareDetails>[] {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const me = useUser()
  const compare = useMemo(createNameOrder, [])
  const owner: TableColumn<ShareDetails> = {
    id: 'owner',
    head: t('shares.owner'),
    compare: (a, b) => compare(a.username, b.username),
    cell: ({ username }) => (
      <span className={styles['fact']}>
        <bdi>{username}</bdi>
      </span>
    ),
  }
  return [
    {
      id: 'path',
      head: t('shell.path'),
      isTitle: true,
      compare: (a, b) => compare(a.path, b.path),
      cell: (share) => <SharedItem share={share} />,
    },
    {
      id: 'expires',
      head: t('shares.expires'),
      compare: byExpiry,
      cell: (share) => (
        <span className={styles['fact']}>
          <ExpiryBadge share={share} now={now} />
        </span>
      ),
    },
    {
      id: 'access',
      head: t('shares.access'),
      compare: (a, b) =>
        KINDS_IN_ORDER.indexOf(a.terms.allows) - KINDS_IN_ORDER.indexOf(b.terms.allows) ||
        Number(a.hasPassword) - Number(b.hasPassword),
      cell: (share) => <Access share={share} actions={actions} />,
    },
    ...(me?.perm.admin === true || shares.some(({ userID }) => userID !== me?.id) ? [owner] : []),
    {
      id: 'created',
      head: t('shares.created'),
      spare: true,
      compare: (a, b) => a.created - b.created,
      cell: ({ created }) => <RelativeTime seconds={created} now={now} />,
    },
    {
      id: 'opened',
      head: t('shares.openedHead'),
      spare: true,
      compare: (a, b) => a.openings - b.openings,
      cell: ({ openings, lastOpened }) => (
        <span className={classNames('num', styles['opened'])}>
          {format.number(openings)}
          <RelativeTime seconds={lastOpened} now={now} />
        </span>
      ),
    },
  ]
}

const KINDS_IN_ORDER = Object.keys(KINDS)

/** What visitors can do, whether they need a password, what is left and what they have sent. */
function Access({ share, actions }: { readonly share: ShareDetails; readonly actions: ShareActions }) {
  const t = useText()
  const { allows } = share.terms
  const left = useLeft(share)
  return (
    <span className={classNames('muted', styles['fact'], styles['access'])}>
      <span className={styles['kind']}>
        <Icon name={KIND_ICONS[allows]} size={14} />
        {t(KINDS[allows])}
      </span>
      <UsedUpBadge share={share} />
      {share.hasPassword && <PasswordBadge />}
      {receivesFiles(share.terms) && (
        <button
          type="button"
          className={classNames('touch', styles['received'])}
          onClick={() => actions.showArrivals(share)}
        >
          {t('shares.received', { count: share.receivedFiles })}
        </button>
      )}
      <ArrivalsBadge count={share.unseenFiles} />
      {left.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </span>
  )
}

/**
 * Name and location of what a link shares. Only the user's own shares link to the files: other users' paths are
 * relative to their own scopes.
 */
function SharedItem({ share }: { readonly share: ShareDetails }) {
  const t = useText()
  const me = useUser()?.id
  const { path, target } = share
  const name = shareName(share) || t('files.root')
  const reachable = share.userID === me && target !== 'missing'
  return (
    <span className={styles['item']}>
      <FileGlyph type={target === 'missing' ? 'broken' : shareGlyph(share)} size={24} />
      <span className={styles['names']}>
        {reachable ? (
          <AppLink className={classNames('touch', styles['name'])} to={filesHref(path)} title={path}>
            <FileName name={name} />
          </AppLink>
        ) : (
          <span className={styles['name']} title={path}>
            <FileName name={name} />
          </span>
        )}
        <span className={styles['where']}>
          <bdi dir="ltr">{parentFolder(path)}</bdi>
        </span>
        <ShareTexts share={share} />
        <TargetBadge target={target} />
      </span>
    </span>
  )
}

interface RelativeTimeProps {
  /** Unix seconds; 0 = unknown. */
  readonly seconds: number
  readonly now: Date
}

/** "3 days ago", with the exact time on hover. Empty if unknown. */
function RelativeTime({ seconds, now }: RelativeTimeProps) {
  const format = useFormat()
  if (seconds === 0) return null
  const date = new Date(seconds * 1000)
  return (
    <time className={styles['time']} dateTime={date.toISOString()} title={format.dateTime(date)}>
      {format.relativeTime(date, now)}
    </time>
  )
}
