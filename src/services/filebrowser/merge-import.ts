import type { UserId } from '../../domain/ids.ts'
import { formatValue } from '../../domain/schema/parse-value.ts'
import type { Rule } from '../../domain/access/rule.ts'
import { leaves, valueAt } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/settings/server-options.ts'
import { Settings } from '../../domain/settings/settings.ts'
import type { Share } from '../../domain/access/share.ts'
import type { User } from '../../domain/accounts/user.ts'
import { cleanVirtualPath } from '../../domain/files/virtual-path.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { ReportWriter } from './import-report.ts'
import type { OldInstallation } from './old-record.ts'

export interface MergeInput {
  readonly existing: Readonly<StoreDocument>
  readonly moved: Pick<StoreDocument, 'settings' | 'server' | 'users'>
  readonly old: OldInstallation
  readonly report: ReportWriter
}

export interface Merged {
  /** Whose links become whose, by the old ids. */
  readonly owners: ReadonlyMap<number, User>
  readonly added: readonly User[]
  withShares(shares: readonly Share[]): StoreDocument
}

/**
 * Adds an old installation to a store that has accounts. What is here stays as it is, and each clash is named: accounts
 * of the same name, settings that differ, links at the same address.
 */
export function mergeImport({ existing, moved, old, report }: MergeInput): Merged {
  if (old.settings !== undefined) nameDifferences(existing, moved, report)
  const rulesOfAll = moved.settings.rules
  const owners = new Map<number, User>()
  const users = [...existing.users]
  let nextUserId: number = existing.nextUserId
  for (const user of moved.users) {
    const same = existing.users.find(({ username }) => username === user.username)
    if (same !== undefined) {
      report.add('clashes', `user ${user.username}`, 'is here already and stays as it is')
      if (isSamePlace(same, user)) owners.set(user.id, same)
      continue
    }
    const isTaken = user.id < existing.nextUserId
    const id = (isTaken ? Math.max(nextUserId, highestOf(moved.users) + 1) : user.id) as UserId
    if (isTaken) report.add('changed', `user ${user.username}`, `has the id ${id}: ${user.id} was given before`)
    nextUserId = Math.max(nextUserId, id + 1)
    const added = { ...user, id, rules: rulesFor(user, rulesOfAll) }
    users.push(added)
    owners.set(user.id, added)
  }
  if (rulesOfAll.length > 0 && users.length > existing.users.length) {
    const note = `the ${rulesOfAll.length} of the old installation apply to its users only, before their own`
    report.add('changed', 'rules for all users', note)
  }
  return {
    owners,
    added: users.slice(existing.users.length),
    withShares: (shares) => ({
      ...structuredClone(existing),
      users,
      shares: [...existing.shares, ...shares],
      nextUserId: nextUserId as UserId,
    }),
  }
}

function nameDifferences(existing: MergeInput['existing'], moved: MergeInput['moved'], report: ReportWriter): void {
  for (const leaf of leaves(Settings)) {
    const [kept, other] = [existing.settings, moved.settings].map((from) => formatValue(leaf, valueAt(from, leaf.path)))
    if (kept !== other) report.add('clashes', `setting ${leaf.key}`, `stays ${kept ?? ''} (there: ${other ?? ''})`)
  }
  for (const leaf of leaves(ServerOptions)) {
    const [kept, other] = [existing.server, moved.server].map((from) => valueAt(from, leaf.path) ?? leaf.schema.default)
    if (JSON.stringify(kept) === JSON.stringify(other)) continue
    const [shown, there] = [formatValue(leaf, kept), formatValue(leaf, other)]
    report.add('clashes', `server ${leaf.key}`, `stays ${shown} (there: ${there})`)
    if (leaf.key === 'root')
      report.add('lookAt', 'served folder', `scopes of the old users are folders of ${shown} now`)
  }
}

/** Links of an account that is here already go on only when they lead to the same place. */
function isSamePlace(one: User, other: User): boolean {
  return cleanVirtualPath(one.scope) === cleanVirtualPath(other.scope)
}

/** The highest id of an account, 0 where there is none. */
export function highestOf(users: readonly User[]): number {
  return users.reduce((id, user) => Math.max(id, user.id), 0)
}

/** Global rules of the old installation stay in force for the users imported from it. */
function rulesFor(user: User, rulesOfAll: readonly Rule[]): Rule[] {
  return [...rulesOfAll, ...user.rules]
}
