import { isInside, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../../api/client.ts'
import {
  type ChoiceOf,
  type Conflict,
  type ExistingByPath,
  type PlannedUpload,
  findConflicts,
  findExisting,
  planUploads,
} from './conflict-check.ts'
import { matchFiles } from '../memory/find-missing.ts'
import { withFolders, type UploadEntry } from './upload-entry.ts'
import type { UploadItem, UploadState } from '../queue/upload-item.ts'
import type { UploadQueue } from '../queue/upload-queue.ts'

/** Asks the user. Undefined cancels the whole upload. */
export type AskConflicts = (
  conflicts: readonly Conflict[],
  all: number,
  target: VirtualPath,
) => Promise<ChoiceOf | undefined>

interface PlanDeps {
  readonly client: Client
  readonly queue: Pick<UploadQueue, 'snapshot' | 'supplyFile'>
  readonly askConflicts: AskConflicts
}

/**
 * The uploads for these entries, after the user has resolved conflicts. Entries that match an unfinished upload of an
 * earlier page resume it. Undefined if the user cancels.
 */
export async function planNewUploads(
  picked: readonly UploadEntry[],
  target: VirtualPath,
  { client, queue, askConflicts }: PlanDeps,
): Promise<PlannedUpload[] | undefined> {
  const matches = matchFiles(queue.snapshot().items, picked, target)
  for (const { id, file } of matches) queue.supplyFile(id, file, true)
  const taken = new Set(matches.map(({ entry }) => entry))
  const rest = picked.filter((entry) => !taken.has(entry))
  if (rest.every(({ file }) => file === null) && taken.size > 0) return undefined
  if (rest.length === 0) return undefined
  const all = withFolders(rest)
  const existing = await findExisting(client, target, all)
  // A folder that is picked again also contains files that were already uploaded.
  const entries = taken.size === 0 ? all : all.filter((entry) => !isThere(entry, existing))
  const conflicts = findConflicts(entries, existing)
  const underWay = filesUnderWay(queue.snapshot().items, target)
  if (conflicts.length === 0) return planUploads(entries, existing, () => 'keepBoth', underWay)
  const choose = await askConflicts(conflicts, entries.filter(({ file }) => file !== null).length, target)
  return choose && planUploads(entries, existing, choose, underWay)
}

/** Phones give each picked photo the same name, also while the last one is still being sent. */
function filesUnderWay(items: readonly UploadItem[], target: VirtualPath): string[] {
  const start = target === ROOT ? 1 : target.length + 1
  return items
    .filter(({ kind, path, state }) => kind === 'file' && OPEN.has(state) && isInside(target, path))
    .map(({ path }) => path.slice(start))
}

const OPEN: ReadonlySet<UploadState> = new Set(['waiting', 'active', 'paused'])

/** The server keeps a file's time only to the second. */
function isThere({ path, file }: UploadEntry, existing: ExistingByPath): boolean {
  const found = existing.get(path)
  if (file === null || found === undefined || found.isDir) return false
  return found.size === file.size && Math.abs(Date.parse(found.modified) - file.lastModified) < 1000
}
