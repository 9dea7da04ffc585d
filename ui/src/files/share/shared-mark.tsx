import { useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { classNames } from '../../lib/class-names.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import type { ShareView } from '../../../../src/domain/shares/share.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import styles from './shared-mark.module.css'

interface SharedMarkProps {
  readonly access: SharedAccess | undefined
  readonly tile?: boolean
}

/** Marks an entry that the user shares by a link. */
export function SharedMark({ access, tile = false }: SharedMarkProps) {
  const t = useText()
  if (access === undefined) return null
  const label = t(access === 'password' ? 'actions.sharedGuarded' : 'actions.shared')
  return (
    <span
      className={classNames(styles['mark'], tile && styles['tile'])}
      role="img"
      aria-label={label}
      data-tooltip={label}
    >
      <Icon name={access === 'password' ? 'lock' : 'link'} size={14} />
    </span>
  )
}

/** Whether the link alone opens the share, or also requires a password. */
export type SharedAccess = 'open' | 'password'

/** Access to shared entries, by their address in the app. */
export type SharedEntries = ReadonlyMap<string, SharedAccess>

/** The entries that the user's own links share. Links of other users are left out: their scope is another folder. */
export function sharedEntriesOf(shares: readonly ShareView[], owner: UserId): SharedEntries {
  const access = new Map<string, SharedAccess>()
  for (const { userID, path, hasPassword } of shares) {
    if (userID !== owner) continue
    const file = path.replace(/\/$/, '')
    // The command line shares folders without the slash at their end.
    for (const href of [filesHref(file), filesHref(`${file}/`)]) {
      if (!hasPassword) access.set(href, 'open')
      else if (!access.has(href)) access.set(href, 'password')
    }
  }
  return access
}
