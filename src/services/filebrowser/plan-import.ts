import type { UserId } from '../../domain/ids.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import type { Share } from '../../domain/access/share.ts'
import type { User } from '../../domain/accounts/user.ts'
import { systemRandom, type Random } from '../../platform/security/random.ts'
import { STORE_VERSION, type StoreDocument } from '../../store/document.ts'
import { ReportWriter, type ImportReport } from './import-report.ts'
import { importServer } from './import-server.ts'
import { importSettings } from './import-settings.ts'
import { importShares, type FindTarget } from './import-shares.ts'
import { importUsers } from './import-users.ts'
import { highestOf, mergeImport } from './merge-import.ts'
import type { OldInstallation } from './old-record.ts'

export interface ImportInput {
  readonly old: OldInstallation
  /** The present store; one without accounts is replaced. */
  readonly existing?: Readonly<StoreDocument> | undefined
  /** Makes a path of the old installation absolute. */
  readonly absolute: (path: string) => string
  readonly findTarget: FindTarget
  /** What a look at the disk told. */
  readonly facts: ImportFacts
  readonly compile: PatternCompiler
  /** Milliseconds. */
  readonly now: number
  readonly random?: Random
}

/** What a look at the disk told about the old installation. */
export interface ImportFacts {
  /** Why its served folder cannot be served. */
  readonly rootProblem?: string | undefined
  /** Links in it that lead out of it; the first few of them. */
  readonly outsideLinks: readonly string[]
  /** Files of this import that lie in the served folder, where users find them. */
  readonly servedFiles: readonly string[]
  /** The process that uses the database at this moment. */
  readonly usedBy?: number | undefined
}

export interface ImportPlan {
  readonly document: StoreDocument
  readonly report: ImportReport
}

/**
 * What a store is after an old installation has moved in. Nothing is touched: the same plan is printed by a dry run and
 * carried out by a real one.
 *
 * @throws INVALID_INPUT when the files are not what File Browser writes
 */
export function planImport(input: ImportInput): ImportPlan {
  const { old, existing, absolute, compile, now, random = systemRandom } = input
  const report = new ReportWriter()
  const isMerge = existing !== undefined && existing.users.length > 0
  // Settings that are not imported need no report.
  const aside = isMerge ? new ReportWriter() : report
  const settings = importSettings({ old, compile, report: aside })
  const server = importServer({ server: old.server, absolute, report: aside })
  const users = importUsers({ users: old.users, defaults: settings.defaults, compile, report, now })
  const moved = { settings, server, users }
  const merged = isMerge ? mergeImport({ existing, moved, old, report }) : undefined
  const owners = merged?.owners ?? new Map(users.map((user): [number, User] => [user.id, user]))
  const taken = new Set<string>(existing?.shares.map(({ hash }) => hash))
  const shares = importShares({ links: old.links, owners, taken, findTarget: input.findTarget, report, now })
  const document = merged?.withShares(shares) ?? {
    version: STORE_VERSION,
    ...moved,
    shares,
    nextUserId: Math.max(existing?.nextUserId ?? 1, highestOf(users) + 1) as UserId,
    secrets: { tokenKey: random.token(64) },
  }
  if (merged === undefined) noteSettings(old, server, report)
  noteCarried(merged?.added ?? users, shares, document, report)
  noteAccounts(document.users, report)
  noteFacts(input.facts, report)
  return { document, report: report.report() }
}

function noteSettings(old: OldInstallation, server: object, report: ReportWriter): void {
  if (old.settings !== undefined) report.add('carried', 'settings')
  for (const [name, value] of Object.entries(server)) report.add('carried', `server ${name}`, String(value))
}

function noteCarried(
  users: readonly User[],
  shares: readonly Share[],
  document: StoreDocument,
  report: ReportWriter,
): void {
  for (const { username } of users) report.add('carried', `user ${username}`)
  for (const { hash, path, userID } of shares) {
    const owner = document.users.find(({ id }) => id === userID)
    report.add('carried', `share ${hash} of ${path}`, `of ${owner?.username ?? ''}`)
  }
}

function noteAccounts(users: readonly User[], report: ReportWriter): void {
  if (users.some(({ perm }) => perm.admin)) return
  report.add(
    'lookAt',
    'no administrator',
    'make one: filemgr users add NAME --perm.admin, or users set NAME --perm.admin',
  )
}

function noteFacts({ rootProblem, outsideLinks, servedFiles, usedBy }: ImportFacts, report: ReportWriter): void {
  if (rootProblem !== undefined) report.add('lookAt', 'served folder', rootProblem)
  for (const link of outsideLinks)
    report.add('lookAt', `link ${link}`, 'leads out of the served folder and is not followed')
  for (const file of servedFiles) {
    report.add('lookAt', file, 'lies in the served folder: move it away, it holds the hashes of the passwords')
  }
  if (usedBy !== undefined) {
    report.add(
      'lookAt',
      'running File Browser',
      `process ${usedBy} has the database open; stop it before the real import`,
    )
  }
}
