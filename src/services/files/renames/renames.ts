import type { Actor, UserActor } from '../../../domain/accounts/actor.ts'
import { servedFolderOf } from '../../../domain/server/root.ts'
import { fail, isFilemgrError, unlessFails } from '../../../domain/errors.ts'
import { mayDo } from '../../../domain/access/permissions.ts'
import { nameProblem } from '../../../domain/files/name-text.ts'
import { type NamedEntry, newNames } from '../../../domain/files/renames/new-names.ts'
import {
  changesName,
  MAX_RENAMES,
  namesToBeFree,
  type PlannedRename,
  planRenames,
  PROBLEM_ERRORS,
  type Rename,
  type RenameOutcome,
  type RenamePlan,
  type RenameRequest,
} from '../../../domain/files/renames/renames.ts'
import type { Listing } from '../../../domain/files/resource.ts'
import { childOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { JobRequestOf } from '../../../domain/automation/job-record.ts'
import type { JobControl, StartedJob } from '../../../platform/limits/job-queue.ts'
import type { AccessService } from '../../access/access.ts'
import type { FileAccess } from '../../access/file-access.ts'
import type { RecordedWork, StartJob } from '../../automation/jobs/start-job.ts'
import type { JobJournal, JobNotes } from '../../automation/jobs/job-notes.ts'
import { noteRenames } from '../../activity-notes.ts'
import { entriesToRename } from './rename-positions.ts'
import { createRenameRun, type RenameRun, type RenameRunDeps } from './rename-run.ts'

export interface RenamesDeps extends RenameRunDeps {
  readonly access: AccessService
  readonly journal: JobJournal
  readonly startJob: StartJob
}

export type RenameAnswer =
  { readonly kind: 'done'; readonly outcome: RenameOutcome } | { readonly kind: 'job'; readonly started: StartedJob }

type RenameJob = JobRequestOf<'rename'>

/** Entries that are renamed during the request; more, and folders that must be copied, are renamed by a job. */
const FEW = 100

/** Renames several entries of a folder. */
export function createRenames(deps: RenamesDeps) {
  const { access, startJob, journal } = deps

  /** What the request would do, entry by entry. @throws FORBIDDEN, NOT_FOUND, INVALID_INPUT */
  async function plan(actor: Actor, text: string, request: RenameRequest): Promise<RenamePlan> {
    using files = await access.at(actor, text)
    return { renames: await planIn(files, files.path, request) }
  }

  /**
   * Checks all names before it renames anything. Later failures are part of the outcome.
   *
   * @throws as `plan`, and the error of the first problem: INVALID_INPUT, CONFLICT, NOT_FOUND, FORBIDDEN
   */
  async function run(actor: Actor, text: string, request: RenameRequest): Promise<RenameAnswer> {
    using files = await access.at(actor, text)
    const { path: folder } = files
    const planned = await planIn(files, folder, request)
    requireNoProblem(planned)
    const renames = planned.filter(changesName)
    const entries = await entriesToRename(files, folder, renames)
    const hasIdentities = entries.some(({ entry }) => entry !== undefined)
    const job: RenameJob = { kind: 'rename', folder, entries, ...(!hasIdentities && { stepwise: true }) }
    if (actor.kind === 'operator') fail('FORBIDDEN', 'files belong to users')
    // Several must not be left halfway: each entry could have the name of another. A single rename is done or not on a disk; in a
    // bucket, the entry could have both names.
    const notes = renames.length > 1 || !hasIdentities ? await journal.begin(actor, files, job) : undefined
    let work: RenameRun | undefined
    try {
      if (notes !== undefined) files.keep(notes.requireOwned)
      work = runOf(job, notes, files.user)
      if (renames.length <= FEW && (await work.proceed(files))) return await done(work.outcome, notes)
      return await goOnByJob(actor, files, job, work, notes)
    } catch (error) {
      // Another run has to end it: entries would have each other's names, and nobody would know.
      await (work?.isBegun === true ? notes?.leave() : notes?.forget())
      throw error
    }
  }

  async function done(outcome: RenameOutcome, notes: JobNotes | undefined): Promise<RenameAnswer> {
    await notes?.forget()
    noteRenames(outcome.renamed)
    return { kind: 'done', outcome }
  }

  async function goOnByJob(
    actor: UserActor,
    files: FileAccess,
    request: RenameJob,
    work: RenameRun,
    notes: JobNotes | undefined,
  ): Promise<RenameAnswer> {
    const { outcome } = work
    // Before it has done them: the request may not wait for the job.
    noteRenames(request.entries)
    const rest = async (own: FileAccess, control: JobControl) => {
      control.expect({ files: request.entries.length })
      control.advance(0, outcome.renamed.length + outcome.failed.length)
      await work.proceed(own, control)
      return { renames: outcome }
    }
    try {
      return { kind: 'job', started: await startJob.start(actor, files, request, rest, { begun: notes }) }
    } catch (error) {
      if (!isFilemgrError(error, 'BUSY') || !work.isBegun || work.isUnclear) throw error
      if (!(await work.giveUp(files, error))) throw error
      return await done(outcome, notes)
    }
  }

  /** @param user whose files they are, in their place */
  const runOf = (request: RenameJob, notes: JobNotes | undefined, user: User) =>
    createRenameRun(deps, request, notes, async () => {
      const own = await access.ofScope(user.id, servedFolderOf(user))
      if (notes !== undefined) own.keep(notes.requireOwned)
      return own
    })

  /** The work of a job that an earlier process has begun. */
  const renaming =
    (request: RenameJob): RecordedWork =>
    async (own, control, notes) => {
      const work = runOf(request, notes, own.user)
      await work.findBegun(own, control)
      await work.proceed(own, control)
      return { renames: work.outcome }
    }

  /** For a job whose user may do nothing any more: gives the entries their old names back. */
  async function abandon(request: RenameJob, control: JobControl, notes: JobNotes): Promise<void> {
    using own = await access.ofScope(ownerOf(notes), notes.record.scope)
    if (servedFolderOf(own.user) !== notes.record.scope) return
    own.keep(notes.requireOwned)
    const work = runOf(request, notes, own.user)
    await work.findBegun(own, control)
    await work.undo(control)
  }

  return { plan, run, renaming, abandon }
}

export type Renames = ReturnType<typeof createRenames>

/** Whose files they are. */
function ownerOf({ record: { actor, grant } }: JobNotes): UserId {
  return grant?.owner ?? actor.user
}

/** The new names and their problems. Paths that a rule denies are not looked up, so that nobody learns whether they exist. */
async function planIn(files: FileAccess, folder: VirtualPath, request: RenameRequest): Promise<PlannedRename[]> {
  // With such rules, each entry is asked for.
  if (!files.hasPermissionRules) files.require('files.rename', folder)
  files.requireAllowed(folder)
  const { isDir } = await files.scope.stat(folder, { ...files.view('/'), sniff: false })
  if (!isDir) fail('INVALID_INPUT', 'path is not a directory')
  const renames = await renamesOf(files, folder, request)
  requireOnce(renames)
  const denied = new Set(renames.filter((rename) => changesName(rename) && isDenied(files, folder, rename)))
  const allowed = renames.filter((rename) => changesName(rename) && !denied.has(rename))
  const free = new Set(namesToBeFree(renames))
  const missing = new Set<Rename>()
  const taken = new Set<string>()
  for (const rename of allowed) {
    const [from, to] = [childOf(folder, rename.from), rename.to]
    // The storage finds nothing under a reserved name.
    const kind = await unlessFails(files.scope.kindOf(from), 'NOT_FOUND')
    if (kind === undefined) missing.add(rename)
    else if (free.has(to) && nameProblem(to) === undefined) {
      const exists = await unlessFails(isTaken(files, from, childOf(folder, to)), 'NOT_FOUND')
      // The new name is reserved.
      if (exists === undefined) denied.add(rename)
      else if (exists) taken.add(to)
    }
  }
  return planRenames(renames, (name) => taken.has(name)).map((planned, index) => {
    const rename = renames[index] ?? planned
    if (denied.has(rename)) return { ...rename, problem: 'denied' }
    return missing.has(rename) ? { ...rename, problem: 'missing' } : planned
  })
}

/** @throws INVALID_INPUT for an invalid name, and for too many entries; NOT_FOUND for a name without an entry */
async function renamesOf(
  files: FileAccess,
  folder: VirtualPath,
  { pattern, names, renames }: RenameRequest,
): Promise<Rename[]> {
  if ((pattern === undefined) === (renames === undefined))
    fail('INVALID_INPUT', 'take either a pattern or a list of renames', { field: 'pattern' })
  if (pattern === undefined) return renames ?? []
  const entries = await (names === undefined ? entriesOf(files, folder) : entriesNamed(files, folder, names))
  const targets = newNames(entries, pattern)
  return entries.map(({ name }, index) => ({ from: name, to: targets[index] ?? '' }))
}

/** All visible entries, in the order of the user's listing. @throws INVALID_INPUT for more entries than one request can rename */
async function entriesOf(files: FileAccess, folder: VirtualPath): Promise<NamedEntry[]> {
  // Counted first, because the listing of a large folder must not be read into memory.
  if ((await files.scope.count(folder, files.view('/'))) > MAX_RENAMES)
    fail('INVALID_INPUT', `at most ${MAX_RENAMES} entries can be renamed at once; name some of them`, {
      field: 'names',
    })
  const parts: Uint8Array[] = []
  // A part is valid until the next one is requested.
  for await (const part of await files.scope.listing(folder, { ...files.view('/'), sniff: false }))
    parts.push(part.slice())
  return (JSON.parse(new TextDecoder().decode(Buffer.concat(parts))) as Listing).items
}

async function entriesNamed(files: FileAccess, folder: VirtualPath, names: readonly string[]): Promise<NamedEntry[]> {
  const view = { ...files.view('/'), sniff: false }
  const entries: NamedEntry[] = []
  for (const name of names) {
    const path = childOf(folder, name)
    files.requireAllowed(path)
    const { isDir, modified } = await files.scope.stat(path, view)
    entries.push({ name, isDir, modified })
  }
  return entries
}

function requireOnce(renames: readonly Rename[]): void {
  const seen = new Set<string>()
  for (const { from } of renames) {
    if (seen.has(from)) fail('INVALID_INPUT', `"${from}" is named twice`, { field: 'names' })
    seen.add(from)
  }
}

/** @throws INVALID_INPUT if the old name is invalid */
function isDenied(files: FileAccess, folder: VirtualPath, { from, to }: Rename): boolean {
  const source = childOf(folder, from)
  if (!files.allows(source) || !mayDo(files.permissionsAt(source), 'files.rename')) return true
  return nameProblem(to) === undefined && !files.allows(childOf(folder, to))
}

/** False for another spelling of the same entry, on disks that do not distinguish them. */
async function isTaken(files: FileAccess, from: VirtualPath, to: VirtualPath): Promise<boolean> {
  return (await files.scope.exists(to)) && !(await files.scope.isSame(from, to))
}

/** @throws the error of the first problem */
function requireNoProblem(planned: readonly PlannedRename[]): void {
  const first = planned.find(({ problem }) => problem !== undefined)
  if (first?.problem === undefined) return
  const [code, reason] = PROBLEM_ERRORS[first.problem]
  const target = first.to === '' ? '' : ` to "${first.to}"`
  fail(code, `"${first.from}" cannot be renamed${target}: ${reason}. Nothing was renamed`)
}
