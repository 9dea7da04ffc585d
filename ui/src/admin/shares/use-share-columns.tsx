import { useMemo } from 'react'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { createNameOrder } from '../../../../src/domain/files/listing-order.ts'
import { useUser } from '../../api/session.ts'
import { useFormat, useNow } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import type { TableColumn } from '../../kit/table/table-sections.tsx'
import { classNames } from '../../lib/class-names.ts'
import { byExpiry } from '../../files/share/expiry.ts'
import { ExpiryBadge, PasswordBadge, TargetBadge } from '../../files/share/share-list.tsx'
import styles from './shares-page.module.css'
import { AppLink } from '../../kit/button/button.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { filesHref, parentFolder } from '../../lib/navigation/app-path.ts'
import { shareGlyph, shareName } from '../../files/share/share-links.ts'

/** Columns of the table. The owner column is shown only if there may be several owners. */
export function useShareColumns(shares: readonly ShareDetails[]): readonly TableColumn<ShareDetails>[] {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const me = useUser()
  const compare = useMemo(createNameOrder, [])
  const owner: TableColumn<ShareDetails> = {
    id: 'owner',
    head: t('shares.owner'),
    compare: (a, b) => compare(a.username, b.username),
    cell: ({ username }) => <bdi className={styles['fact']}>{username}</bdi>,
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
      compare: (a, b) => Number(a.hasPassword) - Number(b.hasPassword),
      cell: ({ hasPassword }) => (
        <span className={classNames('muted', styles['fact'])}>
          {hasPassword ? <PasswordBadge /> : t('shares.openToAll')}
        </span>
      ),
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
    <time dateTime={date.toISOString()} title={format.dateTime(date)}>
      {format.relativeTime(date, now)}
    </time>
  )
}
