import type { Actor } from '../../../domain/accounts/actor.ts'
import { fail, isFilemgrError, throwIfCancelled } from '../../../domain/errors.ts'
import type { ExtractRequest } from '../../../domain/files/archives/archives.ts'
import { stemLength } from '../../../domain/files/name-text.ts'
import {
  childOf,
  nameOf,
  parseVirtualPath,
  relativeTo,
  ROOT,
  type VirtualPath,
} from '../../../domain/files/virtual-path.ts'
import type { JobRequestOf } from '../../../domain/automation/job-record.ts'
import type { JobControl, StartedJob } from '../../../platform/limits/job-queue.ts'
import type { StagedFolder } from '../../../storage/storage.ts'
import type { Ends, FileAccess } from '../../access/file-access.ts'
import type { RecordedWork } from '../../automation/jobs/start-job.ts'
import { requireMayLeave } from '../../access/deeds.ts'
import { checkNewTree, NAME_TAKEN } from '../../access/file-checks.ts'
import { freeName } from '../free-name.ts'
import type { AfterHooks } from '../../automation/hooks/hook-runner.ts'
import { isStill, type Earlier, type JobNotes } from '../../automation/jobs/job-notes.ts'
import { type ArchiveContents, type OpenArchive, requireFormat } from './archive-contents.ts'
import { type ArchiveIndex, requireApart } from './archive-index.ts'
import { type ExtractedItem, unpack } from './unpack.ts'
import { acceptBoth, type FileWorkDeps } from '../transfer-jobs.ts'

export interface ExtractDeps extends FileWorkDeps {
  readonly contents: ArchiveContents
}

/** Extracts entries of archives, by jobs. */
export function createExtraction({ access, contents, settings, changes, startJob, hooks, quotas }: ExtractDeps) {
  /**
   * Nothing appears before everything is unpacked; if the job fails or is cancelled, nothing remains. Entries that cannot be
   * unpacked are left out.
   *
   * @throws FORBIDDEN, NOT_FOUND, UNSUPPORTED; CONFLICT if the destination is no folder. The job fails as
   *         `ArchiveContents.openIn`, with CONFLICT for a taken name, with NO_SPACE and
   *         with QUOTA_EXCEEDED
   */
  async function extract(actor: Actor, text: string, request: ExtractRequest): Promise<StartedJob> {
    using ends = await access.ends(actor, text, request.destination)
    const { source, target } = ends
    const { path } = source
    const destination = target.pathOf(request.destination)
    requireMay(ends, path, destination, request)
    const { isDir } = await source.scope.stat(path, { ...source.view('/'), sniff: false })
    if (isDir) fail('CONFLICT', 'this is a folder', { reason: 'isFolder' })
    requireFormat(path)
    if (!(await target.scope.stat(destination, { ...target.view('/'), sniff: false })).isDir)
      fail('CONFLICT', 'the destination is not a folder', { reason: 'notFolder' })
    const after = await hooks.begin('copy', source, { path, destination }, { into: target })
    const job = { kind: 'extract', path, request: { ...request, destination } } as const
    return await startJob.start(actor, source, job, extracting(job, after), { target })
  }

  /** The work of a job. @param begun absent if an earlier process has begun it */
  const extracting =
    ({ path, request }: JobRequestOf<'extract'>, begun?: AfterHooks): RecordedWork =>
    async (source, control, notes, target) => {
      const ends = { source, target }
      const destination = parseVirtualPath(request.destination)
      const earlier = notes.earlier && (await earlierResult(target, destination, notes.earlier, control))
      requireMay(ends, path, destination, request)
      const after = begun ?? hooks.begun('copy', { path, destination })
      const made = earlier ?? (await run(ends, path, destination, request, control, notes))
      await after(source, target)
      return { made }
    }

  async function run(
    ends: Ends,
    path: VirtualPath,
    destination: VirtualPath,
    request: ExtractRequest,
    control: JobControl,
    notes: JobNotes,
  ): Promise<VirtualPath[]> {
    const { source, target: files } = ends
    await using archive = await contents.openIn(source, path, { encoding: request.encoding, signal: control.signal })
    await archive.takeNodes(archive.index.size, control.signal)
    let items = itemsOf(archive, request.items)
    const total = sizeOf(archive.index, items)
    control.expect(total)
    const before = request.items === undefined ? archive.index.leftOut : []
    for (const { name, reason, as } of before) control.leftOut(name, reason, as)
    const judge = async () => await targetsOf(files, archive.index, items, destination, request)
    let targets = await judge()
    const all = { bytes: total.bytes, files: total.files + total.folders }
    await using reservation = await quotas.reserve(files.user, destination, all)
    await reservation.fill(all, control, async ({ admit, admitFolder }) => {
      await using staged = await files.scope.stageFolder(destination, { length: total.bytes }, control)
      await notes.note({ staged: staged.name })
      const unpacking = { archive, items, staged, modes: settings(), control: { ...control, admit, admitFolder } }
      const kept = await unpack(unpacking, before)
      targets = items.flatMap((item, index) => (kept.includes(item) ? targets.slice(index, index + 1) : []))
      items = kept
      for (;;) {
        throwIfCancelled(control.signal)
        try {
          await place(ends, staged, items, targets, request, control, notes)
          return
        } catch (error) {
          if (request.rename !== true || !isFilemgrError(error, 'CONFLICT')) throw error
          const before = targets
          targets = await judge()
          // Only a name that was taken meanwhile is a reason to try others.
          if (targets.every((to, index) => to === before[index])) throw error
        }
      }
    })
    if (request.override === true) for (const to of targets) await quotas.freed(files.user.scope, to)
    return targets
  }

  async function place(
    ends: Ends,
    staged: StagedFolder,
    items: readonly ExtractedItem[],
    targets: readonly VirtualPath[],
    request: ExtractRequest,
    control: JobControl,
    notes: JobNotes,
  ): Promise<void> {
    const { user } = ends.target
    const touched = await changes.touching(user, ...targets)
    const named = items.map(({ name }, index) => ({ from: name, to: nameOf(targets[index] ?? ROOT) }))
    await staged.place(
      named,
      { replace: request.override === true && request.rename !== true },
      {
        signal: control.signal,
        accept: acceptBoth(ends),
        leftOut: control.leftOut,
        placing: async (entries) => {
          const placed = entries.flatMap((entry, index) => targets.slice(index, index + 1).map((to) => ({ to, entry })))
          await notes.note({ items: placed })
        },
      },
    )
    await touched()
    for (const path of targets) await changes.notify({ kind: 'written', user, path })
  }

  return { extract, extracting }
}

export type Extraction = ReturnType<typeof createExtraction>

/** @throws FORBIDDEN */
function requireMay(ends: Ends, archive: VirtualPath, destination: VirtualPath, request: ExtractRequest): void {
  const { source, target } = ends
  requireMayLeave(ends)
  // The names that an archive needs would be tried one by one.
  if (target.given === 'upload')
    fail('FORBIDDEN', 'this only takes files: extract the archive elsewhere, and copy what is in it')
  source.require('files.take', archive)
  target.require(request.override === true ? 'files.overwrite' : 'files.create', destination)
  source.requireAllowed(archive)
  target.requireAllowed(destination)
}

/** By default everything, in a folder named after the archive, unless the archive has only one entry at the top. */
function itemsOf({ file, index }: OpenArchive, texts: readonly string[] | undefined): ExtractedItem[] {
  const root = index.find(ROOT) ?? fail('NOT_FOUND', 'the archive is empty')
  if (texts === undefined) {
    const [only, ...others] = index.rowsIn(ROOT) ?? []
    if (only !== undefined && others.length === 0) return [{ node: index.nodeIn(ROOT, only), name: index.nameAt(only) }]
    return [{ node: root, name: file.name.slice(0, stemLength(file.name, false)).toWellFormed() }]
  }
  const paths = texts.map(parseVirtualPath)
  requireApart(paths)
  const items = paths.map((path) => {
    if (path === ROOT) fail('INVALID_INPUT', 'leave out the items to extract everything')
    const node = index.find(path) ?? fail('NOT_FOUND', `the archive has no "${path.slice(1)}"`)
    return { node, name: nameOf(path) }
  })
  if (new Set(items.map(({ name }) => name)).size < items.length)
    fail('INVALID_INPUT', 'two of the items have the same name')
  return items
}

/** Takes back what an earlier process was placing when it was killed. @returns what it has made if it had ended */
async function earlierResult(
  files: FileAccess,
  destination: VirtualPath,
  { staged, items = [] }: Earlier,
  { leftOut }: JobControl,
): Promise<VirtualPath[] | undefined> {
  if (staged !== undefined) await files.scope.unstage(destination, staged, { leftOut })
  for (const { to, entry } of items) if (!(await isStill(files, to, entry))) return undefined
  return items.length === 0 ? undefined : items.map(({ to }) => to)
}

function sizeOf(
  index: ArchiveIndex,
  items: readonly ExtractedItem[],
): { bytes: number; files: number; folders: number } {
  let [bytes, files, folders] = [0, 0, 0]
  for (const { node } of items) {
    for (const { isDir, size } of index.within(node)) {
      bytes += size
      if (isDir) folders += 1
      else files += 1
    }
  }
  return { bytes, files, folders }
}

/**
 * Where the items go. Rules are checked for the new path of everything in them.
 *
 * @throws CONFLICT, FORBIDDEN
 */
async function targetsOf(
  files: FileAccess,
  index: ArchiveIndex,
  items: readonly ExtractedItem[],
  destination: VirtualPath,
  { override = false, rename = false }: ExtractRequest,
): Promise<VirtualPath[]> {
  const targets: VirtualPath[] = []
  for (const { node, name } of items) {
    const preferred = childOf(destination, name)
    const right = override ? 'files.overwrite' : 'files.create'
    files.require(right, preferred)
    files.requireAllowed(preferred)
    const isFree = async (path: VirtualPath) => !targets.includes(path) && !(await files.scope.exists(path))
    if (!override && !rename && !(await isFree(preferred))) fail('CONFLICT', NAME_TAKEN)
    const to = rename ? await freeName(preferred, isFree) : preferred
    const relativePaths = [...index.within(node)].map(({ path }) => relativeTo(node.path, path))
    await checkNewTree(files, right, to, relativePaths)
    targets.push(to)
  }
  return targets
}
