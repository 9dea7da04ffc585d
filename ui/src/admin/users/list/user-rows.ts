import type { SessionView } from '../../../../../src/domain/accounts/session.ts'
import type { UserView } from '../../../../../src/domain/accounts/user.ts'

/** One account with where it is signed in. */
export interface UserRow {
  readonly user: UserView
  /** Undefined while it is not known. */
  readonly devices: readonly SessionView[] | undefined
  /** When a device that is signed in was used last; undefined where none is. */
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
    const seen = (devices ?? []).map(({ lastSeenAt }) => Date.parse(lastSeenAt))
    const lastSeen = seen.length === 0 ? undefined : new Date(Math.max(...seen))
    return { user, devices, lastSeen, isSelf: user.id === self }
  })
}

/** Those whose name or scope holds all words that were typed, whatever their case and accents. */
export function findRows(rows: readonly UserRow[], typed: string): readonly UserRow[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter(({ user }) => {
    const text = fold(`${user.username} ${user.scope}`)
    return words.every((word) => text.includes(word))
  })
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
