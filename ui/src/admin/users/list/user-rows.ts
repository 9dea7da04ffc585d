import type { SessionView } from '../../../../../src/domain/accounts/session.ts'
import { createWordFilter } from '../../../../../src/domain/text/find-in-text.ts'
import type { UserView } from '../../../../../src/domain/accounts/user.ts'

/** An account with its devices. */
export interface UserRow {
  readonly user: UserView
  /** Undefined while loading. */
  readonly devices: readonly SessionView[] | undefined
  /** Last use of any device; undefined if there was none. */
  readonly lastSeen: Date | undefined
  readonly isSelf: boolean
}

export function userRows(
  users: readonly UserView[],
  sessions: readonly SessionView[] | undefined,
  self: number | undefined,
): readonly UserRow[] {
  const ofUser = sessions && Map.groupBy(sessions, ({ userId }) => userId)
  return users.map((user) => {
    const devices = ofUser && (ofUser.get(user.id) ?? [])
    const seen = [user, ...(devices ?? [])]
      .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
      .map((time) => Date.parse(time))
    const lastSeen = seen.length === 0 ? undefined : new Date(Math.max(...seen))
    return { user, devices, lastSeen, isSelf: user.id === self }
  })
}

/** Users whose name or scope contains all typed words. */
export function findRows(rows: readonly UserRow[], typed: string): readonly UserRow[] {
  const fits = createWordFilter(typed)
  return rows.filter(({ user }) => fits(`${user.username} ${user.scope}`))
}
