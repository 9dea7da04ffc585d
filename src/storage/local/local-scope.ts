import { fail } from '../../domain/errors.ts'
import type { Resource } from '../../domain/files/resource.ts'
import { nameOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ListingView, Scope } from '../storage.ts'
import type { ArchiveSum } from '../../platform/archives/write/compress.ts'
import { packMembers } from '../../platform/archives/write/pack-members.ts'
import { type ArchivePools, planZip, tarParts, zipParts } from './read/archive-parts.ts'
import { countItems, listParts, measureTree, searchParts, subtitlesOf, walkParts } from './read/ask-workers.ts'
import { describe, type Described } from './read/describe.ts'
import { keptFile, openFile, type LocalFile } from './read/local-file.ts'
import type { BufferPool } from './read/send-file.ts'
import type { DevicePools } from './system/device-pools.ts'
import type { Disk } from './system/disk.ts'
import { lstat, statfs } from './system/gated-calls.ts'
import { identityOf, at, localRootOf } from './system/handle.ts'
import { localTransfers } from './tree/local-transfers.ts'
import { localTrash } from './tree/local-trash.ts'
import { stageTree, unstageTree } from './tree/staged-tree.ts'
import type { FolderWatches } from './watch/folder-watches.ts'
import { localStaging } from './write/local-staging.ts'
import { writeFile } from './write/write-file.ts'
import { ensureFolder } from './scope/ensure-folder.ts'
import { creatableSegments, reachableSegments } from '../reserved-names.ts'
import { holdEntry, holdFolder, whereIs } from './scope/resolve.ts'
import { type Descriptors, OperationRunner } from './scope/run-operation.ts'
import type { Permit } from '../../platform/limits/budget.ts'
import { type OfScopeRoot, requireEntryAccess, realPathOf, type ScopeRoot } from './scope/scope-root.ts'
import { isErrno } from '../../platform/files/error-code.ts'

/** Shared by all scopes of a storage. */
export interface LocalResources {
  readonly descriptors: Descriptors
  /** The share that all copies together may use. */
  readonly copies: Descriptors
  readonly buffers: BufferPool
  readonly disk: Disk
  /** For listings. */
  readonly listers: DevicePools
  /** Separate, because searching a large tree takes long. */
  readonly searchers: DevicePools
  /** For checksums, which read for minutes: listings must not wait for them. */
  readonly digesters: DevicePools
  readonly archives: ArchivePools
  readonly watches: FolderWatches
}

/** The operations in one open folder of the local disk. */
export function localScope(scopeRoot: ScopeRoot, resources: LocalResources, permit: Permit): Scope & OfScopeRoot {
  const runner = new OperationRunner(scopeRoot, resources.descriptors, resources.copies)

  async function* listingParts(
    path: VirtualPath,
    view: ListingView,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, void> {
    using held = await holdEntry(scopeRoot, reachableSegments(path))
    if (!held.targetStats.isDirectory()) fail('CONFLICT', 'this is not a folder', { reason: 'notFolder' })
    const own = await describeEntry(held, path, view)
    const workers = resources.listers.on(held.target)
    yield* listParts(workers, { scopeRoot, folder: held.target, path, view, own }, signal)
  }

  async function openNow(path: VirtualPath, permit: Permit): Promise<LocalFile> {
    return await openFile(scopeRoot, path, permit, resources.buffers)
  }

  async function describeEntry(entry: Described, path: VirtualPath, view: ListingView): Promise<Resource> {
    const findSubtitles = async (folder: VirtualPath, name: string) =>
      await subtitlesOf(resources.listers, { scopeRoot, folder, name, view })
    return await describe(entry, path, scopeRoot.rootName ?? '', view, findSubtitles)
  }

  const scope: Scope & OfScopeRoot = {
    scopeRoot,
    ...localTransfers(runner, () => scope),

    get trash() {
      return localTrash(runner, resources.listers)
    },

    get staging() {
      return localStaging(runner, resources.disk)
    },

    localRoot: () => localRootOf(scopeRoot.folder),
    exists: async (path) => await runner.run(path, async () => await entryExists(scopeRoot, reachableSegments(path))),

    stat: async (path, view) =>
      await runner.run(path, async () => {
        using kept = keptFile(scopeRoot, path)
        if (kept !== undefined) return await describeEntry(kept.described, path, view)
        using held = await holdEntry(scopeRoot, reachableSegments(path))
        return await describeEntry(held, path, view)
      }),

    async listing(path, view, signal) {
      const parts = runner.stream(path, signal, () => listingParts(path, view, signal))
      // Errors about the folder are thrown before the first part.
      const first = await parts.next()
      return startingWith(first, parts)
    },

    async count(path, visibility) {
      const asked = { scopeRoot, path, visibility }
      return await runner.run(path, async () => await countItems(resources.listers, asked))
    },

    walk(path, visibility, signal) {
      const asked = { scopeRoot, path, visibility, isDeep: true }
      return runner.stream(path, signal, () => walkParts(resources.listers, asked, signal))
    },

    entries(path, visibility, signal) {
      const asked = { scopeRoot, path, visibility, isDeep: false }
      return runner.stream(path, signal, () => walkParts(resources.listers, asked, signal))
    },

    search(path, view, signal) {
      const searched = { scopeRoot, path, view }
      return runner.stream(path, signal, () => searchParts(resources.searchers, searched, signal))
    },

    async archive(selection, visibility, signal) {
      const { archives } = resources
      const requested = { scopeRoot, selection, visibility }
      const { base, format } = selection
      if (format !== 'zip') {
        let made: Pick<ArchiveSum, 'leftOut'> = { leftOut: [] }
        const tar = { ...requested, format, onMade: (sum: ArchiveSum) => void (made = sum) }
        return {
          parts: () => runner.stream(base, signal, () => tarParts(archives, tar, signal)),
          leftOut: () => made.leftOut,
        }
      }
      const plan = await runner.run(base, async () => await planZip(archives, requested, signal))
      const { size, fingerprint, leftOut } = plan
      return {
        known: { size, fingerprint },
        leftOut: () => leftOut,
        parts: (span = { start: 0, end: size }) =>
          runner.stream(base, signal, () => zipParts(archives, { ...requested, plan, span }, signal)),
      }
    },

    pack: (format, members, signal) => packMembers(resources.archives, format, members, signal),

    open: async (path) =>
      keptFile(scopeRoot, path) ?? (await runner.run(path, async (permit) => await openNow(path, permit))),

    identify: async (path) =>
      await runner.run(path, async () => {
        using held = await holdEntry(scopeRoot, reachableSegments(path))
        return { ...identityOf(held.targetStats), isDir: held.targetStats.isDirectory() }
      }),

    whereIs: async (path) => await runner.run(path, async () => await whereIs(scopeRoot, reachableSegments(path))),

    within: async (path) =>
      await runner.run(path, async (permit) => {
        using held = await holdEntry(scopeRoot, reachableSegments(path))
        const isSpecial = !held.targetStats.isDirectory() && !held.targetStats.isFile()
        if (isSpecial) fail('FORBIDDEN', 'only files and folders have content')
        const { rootName = '' } = scopeRoot
        const realPrefix = realPathOf(scopeRoot, held.target.realPath)
        const folder = held.target.retain()
        const inner: ScopeRoot = { ...scopeRoot, folder, links: 'inside', realPrefix, openedPath: undefined }
        return localScope({ ...inner, rootName: nameOf(path) || rootName }, resources, permit.split(1))
      }),

    checksum: async (path, algorithm, { signal, advance } = {}) =>
      await runner.run(path, async (permit) => {
        await using file = await openNow(path, permit)
        const job = resources.digesters
          .on({ fd: file.descriptor })
          .run('digestFile', { file: file.descriptor, algorithm }, signal)
        let reported = 0
        for (;;) {
          const next = await job.next()
          if (next.done === true) {
            advance?.(file.size - reported, 1)
            return next.value as string
          }
          reported += next.value as number
          advance?.(next.value as number, 0)
        }
      }),

    write: async (path, source, mode) =>
      await runner.run(
        path,
        async () => await writeFile(scopeRoot, creatableSegments(path), source, mode, resources.disk),
      ),

    makeFolder: async (path, mode, work = {}) =>
      await runner.run(path, async () =>
        (await ensureFolder(scopeRoot, creatableSegments(path), mode, work))[Symbol.dispose](),
      ),

    usage: async (path) =>
      await runner.run(path, async () => {
        using held = await holdEntry(scopeRoot, reachableSegments(path))
        if (!held.targetStats.isDirectory()) return { total: 0, used: 0 }
        const { blocks, bfree, bsize } = await statfs(at(held.target))
        return { total: blocks * bsize, used: (blocks - bfree) * bsize }
      }),

    async measure(path, signal) {
      const asked = { scopeRoot, path }
      return await runner.run(path, async () => await measureTree(resources.searchers, asked, signal))
    },

    watch: async (path, listener) =>
      await runner.run(path, async (permit) => {
        using held = await holdEntry(scopeRoot, reachableSegments(path))
        const { dev, ino } = held.targetStats
        if (!held.targetStats.isDirectory()) fail('CONFLICT', 'this is not a folder', { reason: 'notFolder' })
        return await resources.watches.add(`${dev} ${ino}`, held.target, permit, listener)
      }),

    async stageFolder(path, mode, work = {}) {
      return await runner.run(path, async (permit) => {
        // The new folder, and the one around it.
        const open = (inner: ScopeRoot) => localScope(inner, resources, permit.split(2))
        return await stageTree(runner, path, mode, work, open)
      })
    },

    unstage: async (path, name, { leftOut } = {}) =>
      await runner.copy(path, {}, async () => await unstageTree(runner, path, name, leftOut)),

    /** Running operations keep the folder open until they end. */
    [Symbol.dispose]() {
      scopeRoot.folder[Symbol.dispose]()
      permit[Symbol.dispose]()
    },
  }
  return scope
}

async function* startingWith<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  try {
    if (!first.done) yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}

/** Does not follow a link at the end, so a broken link exists too. */
async function entryExists(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<boolean> {
  const name = segments.at(-1)
  if (name === undefined) return true
  try {
    using folder = await holdFolder(scopeRoot, segments.slice(0, -1))
    requireEntryAccess(scopeRoot, folder, name, await lstat(at(folder, name), { bigint: true }))
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
