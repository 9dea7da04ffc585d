import { fail, isFilemgrError } from '../../../domain/errors.ts'
import type { Amount } from '../../../domain/access/quota.ts'
import type { FlatResource, Resource } from '../../../domain/files/resource.ts'
import type { Visibility } from '../../../domain/access/rule-check.ts'
import type { SearchHit } from '../../../domain/files/search-query.ts'
import { below, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { ListingView, SearchView } from '../../storage.ts'
import { reachableSegments } from '../../reserved-names.ts'
import { type HeldEntry, holdEntry, holdFolder } from '../scope/resolve.ts'
import { lend, rulePathsOf, type ScopeRoot } from '../scope/scope-root.ts'
import type { DevicePools } from '../system/device-pools.ts'
import type { Handle } from '../system/handle.ts'
import { translateError } from '../system/os-error.ts'
import type { HelpWanted, ListInput, RowsInput, ShownFolder } from '../worker/list-folder.ts'
import type { MeasureInput } from '../worker/measure-folder.ts'
import { Rows } from '../worker/rows.ts'
import type { FoundRecord, TrashInput } from '../worker/read-trash.ts'
import type { SearchInput } from '../worker/search-folder.ts'
import type { WalkInput } from '../worker/walk-folder.ts'

interface ListedFolder {
  readonly scopeRoot: ScopeRoot
  readonly folder: Handle
  readonly path: VirtualPath
  readonly view: ListingView
  readonly own: Resource
}

/**
 * The bytes of a listing, in buffers that go back to the worker. May use a second worker; the folder stays open until both have
 * ended.
 */
export async function* listParts(
  workers: WorkerPool,
  { scopeRoot, folder, path, view, own }: ListedFolder,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  using heldFolder = folder.retain()
  using _root = scopeRoot.folder.retain()
  const input: ListInput = {
    folder: heldFolder.fd,
    scopeRoot: lend(scopeRoot, view.rules),
    hideDotfiles: view.hideDotfiles,
    sorting: view.sorting,
    isSniffing: view.sniff,
    pathPrefix: withSlash(view.shownPath),
    rulePaths: rulePathsOf(scopeRoot, folder, below(view.rulePrefix, path)),
    own,
  }
  let help = Promise.resolve()
  try {
    for await (const part of workers.runLent('listFolder', input, signal)) {
      if (part instanceof Uint8Array) yield part
      // Only from an idle worker: one that is busy with other listings would start too late and delay the response.
      else if (workers.hasIdle) help = helpWith(workers, (part as HelpWanted).helpWith)
    }
  } finally {
    await help
  }
}

/** If the helper fails, so does the listing, which then reports the error. */
async function helpWith(workers: WorkerPool, input: RowsInput): Promise<void> {
  try {
    await workers.run('fillRows', input).next()
  } catch {
    Rows.markFailed(input.rows)
  }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

interface AskedFolder {
  readonly scopeRoot: ScopeRoot
  readonly path: VirtualPath
  readonly visibility: Visibility
}

interface AskedTree extends AskedFolder {
  /** True for all depths, false for only what is directly in the folder. */
  readonly isDeep: boolean
}

/** How many entries of a folder the user can see. */
export async function countItems(listers: DevicePools, asked: AskedFolder): Promise<number> {
  using held = await holdEntry(asked.scopeRoot, reachableSegments(asked.path))
  return (await listers.on(held.target).run('countFolder', shownIn(held, asked)).next()).value as number
}

/** The entries of a folder that the user can see, in batches. */
export async function* walkParts(
  listers: DevicePools,
  asked: AskedTree,
  signal?: AbortSignal,
): AsyncGenerator<readonly FlatResource[], void, void> {
  using held = await holdEntry(asked.scopeRoot, reachableSegments(asked.path))
  const { path, isDeep } = asked
  const input: WalkInput = { ...shownIn(held, asked), pathPrefix: path === ROOT ? '/' : `${path}/`, isDeep }
  for await (const batch of listers.on(held.target).run('walkFolder', input, signal)) yield batch as FlatResource[]
}

/** The records in the folder of an owner of deleted entries. */
export async function recordsIn(
  listers: DevicePools,
  folder: Handle,
  ids?: readonly string[],
): Promise<readonly FoundRecord[]> {
  const input: TrashInput = { folder: folder.fd, ids }
  return (await listers.on(folder).run('readTrash', input).next()).value as FoundRecord[]
}

/** Size and number of all files beneath a path, including those that the user may not see. */
export async function measureTree(
  workers: DevicePools,
  { scopeRoot, path }: Pick<AskedFolder, 'scopeRoot' | 'path'>,
  signal?: AbortSignal,
): Promise<Amount> {
  using held = await holdEntry({ ...scopeRoot, permits: undefined }, reachableSegments(path))
  if (!held.stats.isDirectory()) return { bytes: Number(held.stats.size), files: 1 }
  const input: MeasureInput = { folder: held.handle.fd, scopeRoot: lend(scopeRoot, []) }
  const job = workers.on(held.handle).run('measureFolder', input, signal)
  return (await job.next()).value as Amount
}

function shownIn(held: HeldEntry, { scopeRoot, path, visibility }: AskedFolder): ShownFolder {
  if (!held.targetStats.isDirectory()) fail('INVALID_INPUT', 'path is not a directory')
  return {
    folder: held.target.fd,
    scopeRoot: lend(scopeRoot, visibility.rules),
    hideDotfiles: visibility.hideDotfiles,
    rulePaths: rulePathsOf(scopeRoot, held.target, below(visibility.rulePrefix, path)),
  }
}

/** The matches in a folder, from a worker. The folder stays open until the worker has ended the job. */
export async function* searchParts(
  workers: DevicePools,
  { scopeRoot, path, view }: { readonly scopeRoot: ScopeRoot; readonly path: VirtualPath; readonly view: SearchView },
  signal?: AbortSignal,
): AsyncGenerator<readonly SearchHit[], void, void> {
  using held = await holdSearched(scopeRoot, path)
  // The target of a link is found at its own path.
  if (!held?.stats.isDirectory()) return
  const input: SearchInput = {
    folder: held.target.fd,
    scopeRoot: lend(scopeRoot, view.rules),
    hideDotfiles: view.hideDotfiles,
    query: view.query,
    ...(view.details === true && { details: true }),
    ...(scopeRoot.forgetsNames && { forgetsNames: true }),
    rulePaths: rulePathsOf(scopeRoot, held.target, below(view.rulePrefix, path)),
  }
  for await (const hits of workers.on(held.target).run('searchFolder', input, signal)) yield hits as SearchHit[]
}

/** Undefined if the folder does not exist or the user may not see it: then nothing is found. */
async function holdSearched(scopeRoot: ScopeRoot, path: VirtualPath): Promise<HeldEntry | undefined> {
  try {
    // Rules are checked for each match instead, because a rule may allow an entry of a denied folder.
    return await holdEntry({ ...scopeRoot, permits: undefined }, reachableSegments(path))
  } catch (error) {
    const translated = translateError(error, path)
    if (isFilemgrError(translated, 'NOT_FOUND', 'FORBIDDEN')) return undefined
    throw error
  }
}

interface AskedVideo {
  readonly scopeRoot: ScopeRoot
  /** Folder of the video. */
  readonly folder: VirtualPath
  readonly name: string
  readonly view: ListingView
}

/** Paths of a video's subtitles, in the terms of the view. */
export async function subtitlesOf(
  listers: DevicePools,
  { scopeRoot, folder, name, view }: AskedVideo,
): Promise<string[]> {
  using held = await holdFolder(scopeRoot, reachableSegments(folder))
  const shown = view.shownPath.replace(/\/$/, '')
  const input = {
    folder: held.fd,
    name,
    scopeRoot: lend(scopeRoot, view.rules),
    hideDotfiles: view.hideDotfiles,
    pathPrefix: shown.slice(0, shown.length - name.length),
    rulePaths: rulePathsOf(scopeRoot, held, below(view.rulePrefix, folder)),
  }
  return (await listers.on(held).run('findSubtitles', input).next()).value as string[]
}
