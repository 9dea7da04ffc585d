import type { UserId } from '../../domain/ids.ts'
import { formatValue } from '../../domain/schema/parse-value.ts'
import { leaves, valueAt } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/server/server-options.ts'
import { Settings } from '../../domain/settings/settings.ts'
import type { Share } from '../../domain/shares/share.ts'
import type { User } from '../../domain/accounts/user.ts'
import { cleanVirtualPath } from '../../domain/files/virtual-path.ts'
import { accountsNamed } from '../../services/accounts/users/account-names.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { ReportWriter } from './import-report.ts'
import type { OldInstallation } from './old-record.ts'

export interface MergeInput {
  readonly existing: Readonly<StoreDocument>
  readonly imported: Pick<StoreDocument, 'settings' | 'server' | 'users'>
  readonly old: OldInstallation
  readonly report: ReportWriter
}

export interface Merged {
  /** Owners of the imported shares, by their old user ids. */
  readonly owners: ReadonlyMap<number, User>
  readonly added: readonly User[]
  withShares(shares: readonly Share[]): StoreDocument
}

/**
 * Adds an old installation to a store that has accounts. Nothing that exists is changed, and each conflict is reported:
 * accounts with the same name, settings that differ, shares with the same address.
 */
export function mergeImport({ existing, imported, old, report }: MergeInput): Merged {
  if (old.settings !== undefined) reportDifferences(existing, imported, report)
  const globalRules = imported.settings.rules
  const owners = new Map<number, User>()
  const users = [...existing.users]
  let nextUserId: number = existing.nextUserId
  for (const user of imported.users) {
    const [namesake] = accountsNamed(existing.users, user.username)
    if (namesake !== undefined) {
      report.add('clashes', `user ${user.username}`, existsAs(namesake, user))
      // A share of another folder would lead to files that were never shared.
      if (haveSameScope(namesake, user)) owners.set(user.id, namesake)
      continue
    }
    const isTaken = user.id < existing.nextUserId
    const id = (isTaken ? Math.max(nextUserId, highestId(imported.users) + 1) : user.id) as UserId
    if (isTaken) report.add('changed', `user ${user.username}`, `gets the id ${id}, because ${user.id} is taken`)
    nextUserId = Math.max(nextUserId, id + 1)
    const added = { ...user, id, rules: [...globalRules, ...user.rules] }
    users.push(added)
    owners.set(user.id, added)
  }
  if (globalRules.length > 0 && users.length > existing.users.length) {
    const note = `the ${globalRules.length} of the old installation apply only to its users, before their own`
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

function reportDifferences(
  existing: MergeInput['existing'],
  imported: MergeInput['imported'],
  report: ReportWriter,
): void {
  for (const leaf of leaves(Settings)) {
    const [ours, theirs] = [existing.settings, imported.settings].map((from) =>
      formatValue(leaf, valueAt(from, leaf.path)),
    )
    if (ours !== theirs) report.add('clashes', `setting ${leaf.key}`, `stays ${ours ?? ''} (there: ${theirs ?? ''})`)
  }
  for (const leaf of leaves(ServerOptions)) {
    const [ours, theirs] = [existing.server, imported.server].map(
      (from) => valueAt(from, leaf.path) ?? leaf.schema.default,
    )
    if (JSON.stringify(ours) === JSON.stringify(theirs)) continue
    const [here, there] = [formatValue(leaf, ours), formatValue(leaf, theirs)]
    report.add('clashes', `server ${leaf.key}`, `stays ${here} (there: ${there})`)
    if (leaf.key === 'root')
      report.add('lookAt', 'served folder', `scopes of the imported users are now folders in ${here}`)
  }
}

function existsAs({ username }: User, user: User): string {
  return `exists here${username === user.username ? '' : ` as ${username}`} and is not changed`
}

function haveSameScope(a: User, b: User): boolean {
  return cleanVirtualPath(a.scope) === cleanVirtualPath(b.scope)
}

/** The highest user id; 0 without users. */
export function highestId(users: readonly User[]): number {
  return users.reduce((id, user) => Math.max(id, user.id), 0)
}
