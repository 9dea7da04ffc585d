import type { Actor } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import {
  ARCHIVE_EXTENSIONS,
  formatByName,
  type ArchiveContent,
  type ArchiveSelection,
} from '../../../domain/files/archives/archive-format.ts'
import type { CompressRequest } from '../../../domain/files/archives/archives.ts'
import { stemLength } from '../../../domain/files/name-text.ts'
import { childOf, nameOf, parentOf, requireNewName, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { JobRequestOf } from '../../../domain/automation/job-record.ts'
import type { JobControl, StartedJob } from '../../../platform/limits/job-queue.ts'
import type { Written } from '../../../storage/open-file.ts'
import type { Ends } from '../../access/file-access.ts'
import type { RecordedWork } from '../../automation/jobs/start-job.ts'
import { requireMayLeave } from '../../access/deeds.ts'
import { requireMayReplace } from '../../access/file-checks.ts'
import { freeTarget } from '../transfers.ts'
import type { AfterHooks } from '../../automation/hooks/hook-runner.ts'
import { continuing, isStill } from '../../automation/jobs/job-notes.ts'
import { FolderRoom } from '../../access/quotas/folder-room.ts'
import { FileRoom } from '../../access/quotas/replacement.ts'
import { MadeBody } from './made-body.ts'
import { acceptBoth, type FileWorkDeps } from '../transfer-jobs.ts'

type CompressJob = JobRequestOf<'compress'>

/** Compresses entries of a folder into a new archive, by a job. It contains what a download of them would. */
export function createCompression({ access, settings, changes, startJob, hooks, quotas }: FileWorkDeps) {
  /**
   * The archive appears once it is complete.
   *
   * @throws FORBIDDEN, NOT_FOUND; CONFLICT for a taken name; INVALID_INPUT. The job fails with QUOTA_EXCEEDED
   */
  async function compress(actor: Actor, text: string, request: CompressRequest): Promise<StartedJob> {
    using ends = await access.ends(actor, text, request.destination)
    const { source: files, target } = ends
    const { path: folder } = files
    const items = [...new Set(request.names)].map((name) => childOf(folder, name))
    const destination = target.pathOf(request.destination)
    // Who may see nothing must not learn which names are taken.
    const { override = false, rename = false } = target.given === 'upload' ? { rename: true } : request
    requireMay(ends, folder, items, destination, override)
    requireNewName(destination)
    const view = { ...files.view('/'), sniff: false }
    if (!(await files.scope.stat(folder, view)).isDir) fail('CONFLICT', 'this is not a folder', { reason: 'notFolder' })
    for (const item of items) await files.scope.stat(item, view)
    if (formatByName(nameOf(destination)) === undefined) failFormat()
    // A number goes before the whole extension: "a.tar(1).gz" would not be an archive.
    const end = stemLength(nameOf(destination), false)
    const to = await freeTarget(target, undefined, destination, { override, rename }, end)
    target.requireAllowed(to)
    const after = await hooks.begin('copy', files, { path: folder, destination: to }, { into: target })
    const job: CompressJob = { kind: 'compress', folder, items, to, replace: override && !rename }
    return await startJob.start(actor, files, job, compressing(job, after), { target })
  }

  /** The work of a job. @param begun absent if an earlier process has begun it */
  const compressing =
    ({ folder, items, to, replace }: CompressJob, begun?: AfterHooks): RecordedWork =>
    async (source, control, notes, target) => {
      const ends = { source, target }
      const after = begun ?? hooks.begun('copy', { path: folder, destination: to })
      requireMay(ends, folder, items, to, replace)
      // It was complete before the process ended.
      if (notes.earlier !== undefined && (await isStill(target, to, notes.earlier.placed))) {
        await changes.notify({ kind: 'written', user: target.user, path: to })
        await after(source, target)
        return { made: [to] }
      }
      const format = formatByName(nameOf(to)) ?? failFormat()
      const { fileMode, dirMode } = settings()
      const selection: ArchiveSelection = { format, base: folder, items }
      const content = await source.scope.archive(selection, source.readableView(), control.signal)
      const length = content.known?.size
      if (length !== undefined) control.expect({ bytes: length })
      await using room = await FileRoom.reserve(quotas, { files: target, path: to, replace }, length ?? 0)
      await using folders = await FolderRoom.reserve(quotas, target, parentOf(to))
      const admit = length === undefined ? room.growing() : undefined
      const touched = await changes.touching(target.user, to)
      const requireStill = acceptBoth(ends)
      const accept = (current: Written | undefined) => {
        requireStill()
        if (current !== undefined) requireMayReplace(target, to, replace)
        room.accept(current)
      }
      const mode = {
        replace,
        fileMode,
        folderMode: dirMode,
        length,
        signal: control.signal,
        admit,
        accept,
        ...folders.work,
      }
      const { work } = continuing(notes)
      const body = new MadeBody(partsOf(content, control))
      const { size } = await target.scope.write(to, body.stream, { ...mode, ...work }).catch((error: unknown) => {
        throw body.failure ?? error
      })
      for (const { name, reason, as } of content.leftOut()) control.leftOut(name, reason, as)
      await room.settle(size)
      control.advance(0, 1)
      await touched()
      await changes.notify({ kind: 'written', user: target.user, path: to })
      await after(source, target)
      return { made: [to] }
    }

  return { compress, compressing }
}

export type Compression = ReturnType<typeof createCompression>

/** @throws FORBIDDEN */
function requireMay(
  ends: Ends,
  folder: VirtualPath,
  items: readonly VirtualPath[],
  to: VirtualPath,
  replaces: boolean,
): void {
  const { source, target } = ends
  requireMayLeave(ends)
  for (const item of items) source.require('files.take', item)
  target.require(replaces ? 'files.overwrite' : 'files.create', to)
  for (const path of [folder, ...items]) source.requireAllowed(path)
  target.requireAllowed(to)
  source.keepRulesOf(folder)
}

function failFormat(): never {
  return fail(
    'INVALID_INPUT',
    `give the archive one of the extensions ${Object.values(ARCHIVE_EXTENSIONS).join(', ')}`,
    {
      field: 'destination',
    },
  )
}

/** Copied, since a part is valid only until the next one is requested, and a write takes several together. */
async function* partsOf(content: ArchiveContent, control: JobControl): AsyncGenerator<Uint8Array, void, void> {
  for await (const part of content.parts()) {
    control.advance(part.length, 0)
    yield Buffer.from(part)
  }
}
