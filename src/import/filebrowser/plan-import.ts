import type { UserId } from '../../domain/ids.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import type { Share } from '../../domain/shares/share.ts'
import type { Group } from '../../domain/accounts/group.ts'
import type { User } from '../../domain/accounts/user.ts'
import { systemRandom, type Random } from '../../platform/security/random.ts'
import { STORE_VERSION, type StoreDocument } from '../../store/document.ts'
import { ReportWriter, type ImportReport } from './import-report.ts'
import { importGroups } from './import-groups.ts'
import { type ImportedRoots, importRoots } from './import-roots.ts'
import { importServer } from './import-server.ts'
import { importSettings } from './import-settings.ts'
import { importShares, type FindTarget } from './import-shares.ts'
import { importUsers } from './import-users.ts'
import type { OldInstallation } from './old-record.ts'
import { formatValue } from '../../domain/schema/parse-value.ts'
import { leaves, valueAt } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/server/server-options.ts'
import { Settings } from '../../domain/settings/settings.ts'
import { servedFolderOf } from '../../domain/server/root.ts'
import { accountsNamed } from '../../services/accounts/users/account-names.ts'

export interface ImportInput {
  readonly old: OldInstallation
  /** The current store; one without accounts is replaced. */
  readonly existing?: Readonly<StoreDocument> | undefined
  /** Makes a path of the old installation absolute. */
  readonly absolute: (path: string) => string
  readonly findTarget: FindTarget
  readonly facts: ImportFacts
  readonly compile: PatternCompiler
  /** Milliseconds. */
  readonly now: number
  readonly random?: Random
}

/** What was found on the disk about the old installation. */
export interface ImportFacts {
  /** Why its served folder cannot be served. */
  readonly rootProblem?: string | undefined
  /** Folders of other roots that are not there. */
  readonly missingRoots?: readonly string[]
  /** The first few links that lead out of the served folder. */
  readonly outsideLinks: readonly string[]
  /** Imported files that are in the served folder, where users can download them. */
  readonly servedFiles: readonly string[]
  /** Id of the process that has the database open. */
  readonly usedBy?: number | undefined
}

export interface ImportPlan {
  readonly document: StoreDocument
  readonly report: ImportReport
}

/**
 * The store as an import makes it, and a report. Changes nothing: a dry run prints the plan that a real import carries out.
 *
 * @throws INVALID_INPUT if the files were not written by File Browser
 */
export function planImport(input: ImportInput): ImportPlan {
  const { old, existing, absolute, compile, now, random = systemRandom } = input
  const report = new ReportWriter()
  const isMerge = existing !== undefined && existing.users.length > 0
  // A merge does not import settings, so notes about them are discarded.
  const settingsReport = isMerge ? new ReportWriter() : report
  const settings = importSettings({ old, compile, report: settingsReport })
  const server = importServer({ server: old.server, absolute, report: settingsReport })
  if (old.notes !== undefined) {
    settingsReport.addAll(old.notes.settings)
    report.addAll(old.notes.content)
  }
  const files = (isMerge ? existing.server.root : server.root) ?? ''
  const roots = importRoots({ old, existing: existing?.roots ?? [], files, random, report })
  const users = importUsers({ users: old.users, settings, roots, compile, report, now })
  const imported = { settings, server, users }
  const merged = isMerge ? mergeImport({ existing, imported, roots, old, report }) : undefined
  const owners = merged?.owners ?? new Map(users.map((user): [number, User] => [user.id, user]))
  const taken = new Set<string>(existing?.shares.map(({ hash }) => hash))
  const { links } = old
  const linkTerms = new Map(old.linkTerms)
  const shares = importShares({ links, linkTerms, owners, roots, taken, findTarget: input.findTarget, report, now })
  const groups = importGroups({ old, existing: existing?.groups ?? [], users: merged?.added ?? users, random, report })
  const document = merged?.with(shares, groups) ?? {
    version: STORE_VERSION,
    ...imported,
    roots: [...roots.roots],
    groups,
    shares,
    webhooks: [...(existing?.webhooks ?? [])],
    reservedSlugs: [...(existing?.reservedSlugs ?? [])],
    grants: [],
    tokens: [],
    providers: [...(existing?.providers ?? [])],
    nextUserId: Math.max(existing?.nextUserId ?? 1, highestId(users) + 1) as UserId,
    secrets: { tokenKey: random.token(64) },
  }
  if (merged === undefined) reportSettings(old, server, report)
  reportImported(merged?.added ?? users, shares, document, report)
  reportMissingAdmin(document.users, report)
  reportFacts(input.facts, report)
  return { document, report: report.report() }
}

function reportSettings(old: OldInstallation, server: object, report: ReportWriter): void {
  if (old.settings !== undefined) report.add('carried', 'settings')
  for (const [name, value] of Object.entries(server)) report.add('carried', `server ${name}`, String(value))
}

function reportImported(
  users: readonly User[],
  shares: readonly Share[],
  document: StoreDocument,
  report: ReportWriter,
): void {
  for (const { username } of users) report.add('carried', `user ${username}`)
  for (const { hash, path, userID } of shares) {
    const owner = document.users.find(({ id }) => id === userID)
    report.add('carried', `share ${hash} of ${path}`, `owned by ${owner?.username ?? ''}`)
  }
}

function reportMissingAdmin(users: readonly User[], report: ReportWriter): void {
  if (users.some(({ perm }) => perm.admin)) return
  report.add(
    'lookAt',
    'no administrator',
    'create one: filemgr users add NAME --perm.admin, or users set NAME --perm.admin',
  )
}

function reportFacts(
  { rootProblem, missingRoots = [], outsideLinks, servedFiles, usedBy }: ImportFacts,
  report: ReportWriter,
): void {
  if (rootProblem !== undefined) report.add('lookAt', 'served folder', rootProblem)
  for (const folder of missingRoots)
    report.add('lookAt', `root ${folder}`, 'there is no such folder: its users see no files until it is back')
  for (const link of outsideLinks)
    report.add('lookAt', `link ${link}`, 'leads out of the served folder and is not followed')
  for (const file of servedFiles) {
    report.add('lookAt', file, 'contains password hashes and is in the served folder: move it elsewhere')
  }
  if (usedBy !== undefined) {
    report.add(
      'lookAt',
      'running File Browser',
      `process ${usedBy} has the database open; stop it before the real import`,
    )
  }
}

interface MergeInput {
  readonly existing: Readonly<StoreDocument>
  readonly imported: Pick<StoreDocument, 'settings' | 'server' | 'users'>
  readonly roots: ImportedRoots
  readonly old: OldInstallation
  readonly report: ReportWriter
}

interface Merged {
  /** Owners of the imported shares, by their old user ids. */
  readonly owners: ReadonlyMap<number, User>
  readonly added: readonly User[]
  with(shares: readonly Share[], groups: readonly Group[]): StoreDocument
}

/**
 * Adds an old installation to a store that has accounts. Nothing that exists is changed, and each conflict is reported:
 * accounts with the same name, settings that differ, shares with the same address.
 */
function mergeImport({ existing, imported, roots, old, report }: MergeInput): Merged {
  if (old.settings !== undefined) reportDifferences(existing, imported, old, report)
  const globalRules = imported.settings.rules
  const owners = new Map<number, User>()
  const users = [...existing.users]
  let nextUserId: number = existing.nextUserId
  for (const user of imported.users) {
    const [namesake] = accountsNamed(existing.users, user.username)
    if (namesake !== undefined) {
      report.add('clashes', `user ${user.username}`, existsAs(namesake, user))
      // A share of another folder would lead to files that were never shared.
      if (old.roots !== undefined || servedFolderOf(namesake) === servedFolderOf(user)) owners.set(user.id, namesake)
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
    with: (shares, groups) => ({
      ...structuredClone(existing),
      roots: [...roots.roots],
      users,
      groups: [...groups],
      shares: [...existing.shares, ...shares],
      nextUserId: nextUserId as UserId,
    }),
  }
}

function reportDifferences(
  existing: MergeInput['existing'],
  imported: MergeInput['imported'],
  old: OldInstallation,
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
    // Its folders are roots of their own.
    if (leaf.key === 'root' && old.roots !== undefined) continue
    const [here, there] = [formatValue(leaf, ours), formatValue(leaf, theirs)]
    report.add('clashes', `server ${leaf.key}`, `stays ${here} (there: ${there})`)
    if (leaf.key === 'root')
      report.add('lookAt', 'served folder', `scopes of the imported users are now folders in ${here}`)
  }
}

function existsAs({ username }: User, user: User): string {
  return `exists here${username === user.username ? '' : ` as ${username}`} and is not changed`
}

/** The highest user id; 0 without users. */
function highestId(users: readonly User[]): number {
  return users.reduce((id, user) => Math.max(id, user.id), 0)
}
