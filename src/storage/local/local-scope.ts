import type { Readable } from 'node:stream'
import { fail } from '../../domain/errors.ts'
import type { EntryIdentity } from '../../domain/files/entry-identity.ts'
import type { Amount } from '../../domain/access/quota.ts'
import type { Checksum, FlatResource, Resource, Usage } from '../../domain/files/resource.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { SearchHit } from '../../domain/files/search-query.ts'
import { nameOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ArchiveContent, ArchiveSelection } from '../../domain/files/archives/archive-format.ts'
import type {
  Acceptance,
  EntryKind,
  FolderListener,
  ListingView,
  OpenFile,
  RemovableFile,
  Scope,
  SearchView,
  StagedFolder,
  Staging,
  TransferMode,
  Trash,
  Work,
  WriteMode,
  Written,
} from '../storage.ts'
import type { ArchiveSum } from '../../platform/archives/write/compress.ts'
import { type ArchivePools, planZip, tarParts, zipParts } from './read/archive-parts.ts'
import { countItems, listParts, measureTree, searchParts, subtitlesOf, walkParts } from './read/ask-workers.ts'
import { describe, type Described } from './read/describe.ts'
import { keptFile, openFile, type LocalFile } from './read/local-file.ts'
import type { BufferPool } from './read/send-file.ts'
import type { DevicePools } from './system/device-pools.ts'
import type { Disk } from './system/disk.ts'
import { lstat, statfs } from './system/gated-calls.ts'
import { identityOf, at, localRootOf } from './system/handle.ts'
import { LocalTransfers } from './tree/local-transfers.ts'
import { LocalTrash } from './tree/local-trash.ts'
import { stageTree, unstageTree } from './tree/staged-tree.ts'
import type { FolderWatches } from './watch/folder-watches.ts'
import { LocalStaging } from './write/local-staging.ts'
import { writeFile } from './write/write-file.ts'
import { ensureFolder } from './scope/ensure-folder.ts'
import { creatableSegments, reachableSegments } from '../reserved-names.ts'
import { holdEntry, holdFolder, whereIs } from './scope/resolve.ts'
import { type Descriptors, OperationRunner } from './scope/run-operation.ts'
import type { Permit } from '../../platform/limits/budget.ts'
import { requireEntryAccess, realPathOf, type ScopeRoot } from './scope/scope-root.ts'
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
export class LocalScope implements Scope {
  readonly #scopeRoot: ScopeRoot
  readonly #resources: LocalResources
  readonly #permit: Permit
  readonly #runner: OperationRunner

  constructor(scopeRoot: ScopeRoot, resources: LocalResources, permit: Permit) {
    this.#scopeRoot = scopeRoot
    this.#resources = resources
    this.#permit = permit
    this.#runner = new OperationRunner(scopeRoot, resources.descriptors, resources.copies)
  }

  get trash(): Trash {
    return new LocalTrash(this.#runner)
  }

  get staging(): Staging {
    return new LocalStaging(this.#runner, this.#resources.disk)
  }

  get #transfers(): LocalTransfers {
    return new LocalTransfers(this.#runner)
  }

  localRoot(): { held: string; path: string } {
    return localRootOf(this.#scopeRoot.folder)
  }

  async exists(path: VirtualPath): Promise<boolean> {
    return await this.#run(path, async () => await entryExists(this.#scopeRoot, reachableSegments(path)))
  }

  async stat(path: VirtualPath, view: ListingView): Promise<Resource> {
    return await this.#run(path, async () => {
      using kept = keptFile(this.#scopeRoot, path)
      if (kept !== undefined) return await this.#describe(kept.described, path, view)
      using held = await holdEntry(this.#scopeRoot, reachableSegments(path))
      return await this.#describe(held, path, view)
    })
  }

  async listing(path: VirtualPath, view: ListingView, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const parts = this.#stream(path, signal, () => this.#listing(path, view, signal))
    // Errors about the folder are thrown before the first part.
    const first = await parts.next()
    return startingWith(first, parts)
  }

  async count(path: VirtualPath, visibility: Visibility): Promise<number> {
    const asked = { scopeRoot: this.#scopeRoot, path, visibility }
    return await this.#run(path, async () => await countItems(this.#resources.listers, asked))
  }

  walk(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<readonly FlatResource[]> {
    const asked = { scopeRoot: this.#scopeRoot, path, visibility, isDeep: true }
    return this.#stream(path, signal, () => walkParts(this.#resources.listers, asked, signal))
  }

  entries(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<readonly FlatResource[]> {
    const asked = { scopeRoot: this.#scopeRoot, path, visibility, isDeep: false }
    return this.#stream(path, signal, () => walkParts(this.#resources.listers, asked, signal))
  }

  search(path: VirtualPath, view: SearchView, signal?: AbortSignal): AsyncIterable<readonly SearchHit[]> {
    const searched = { scopeRoot: this.#scopeRoot, path, view }
    return this.#stream(path, signal, () => searchParts(this.#resources.searchers, searched, signal))
  }

  async archive(selection: ArchiveSelection, visibility: Visibility, signal?: AbortSignal): Promise<ArchiveContent> {
    const { archives } = this.#resources
    const requested = { scopeRoot: this.#scopeRoot, selection, visibility }
    const { base, format } = selection
    if (format !== 'zip') {
      let made: Pick<ArchiveSum, 'leftOut'> = { leftOut: [] }
      const tar = { ...requested, format, onMade: (sum: ArchiveSum) => void (made = sum) }
      return {
        parts: () => this.#stream(base, signal, () => tarParts(archives, tar, signal)),
        leftOut: () => made.leftOut,
      }
    }
    const plan = await this.#run(base, async () => await planZip(archives, requested, signal))
    const { size, fingerprint, leftOut } = plan
    return {
      known: { size, fingerprint },
      leftOut: () => leftOut,
      parts: (span = { start: 0, end: size }) =>
        this.#stream(base, signal, () => zipParts(archives, { ...requested, plan, span }, signal)),
    }
  }

  async open(path: VirtualPath): Promise<OpenFile> {
    return keptFile(this.#scopeRoot, path) ?? (await this.#run(path, async (permit) => await this.#open(path, permit)))
  }

  async identify(path: VirtualPath): Promise<EntryIdentity> {
    return await this.#run(path, async () => {
      using held = await holdEntry(this.#scopeRoot, reachableSegments(path))
      return identityOf(held.targetStats)
    })
  }

  async entryAt(path: VirtualPath): Promise<EntryIdentity | undefined> {
    return await this.#transfers.entryAt(path)
  }

  async whereIs(path: VirtualPath): Promise<VirtualPath | undefined> {
    return await this.#run(path, async () => await whereIs(this.#scopeRoot, reachableSegments(path)))
  }

  async within(path: VirtualPath): Promise<Scope> {
    return await this.#run(path, async (permit) => {
      using held = await holdEntry(this.#scopeRoot, reachableSegments(path))
      const isSpecial = !held.targetStats.isDirectory() && !held.targetStats.isFile()
      if (isSpecial) fail('FORBIDDEN', 'only files and folders have content')
      const { rootName = '' } = this.#scopeRoot
      const realPrefix = realPathOf(this.#scopeRoot, held.target.realPath)
      const folder = held.target.retain()
      const scopeRoot: ScopeRoot = { ...this.#scopeRoot, folder, links: 'inside', realPrefix, openedPath: undefined }
      return new LocalScope({ ...scopeRoot, rootName: nameOf(path) || rootName }, this.#resources, permit.split(1))
    })
  }

  async checksum(path: VirtualPath, algorithm: Checksum, { signal, advance }: Work = {}): Promise<string> {
    return await this.#run(path, async (permit) => {
      await using file = await this.#open(path, permit)
      const job = this.#resources.digesters
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
    })
  }

  async write(path: VirtualPath, source: Readable, mode: WriteMode): Promise<Written> {
    return await this.#run(
      path,
      async () => await writeFile(this.#scopeRoot, creatableSegments(path), source, mode, this.#resources.disk),
    )
  }

  async makeFolder(path: VirtualPath, mode: number, work: Acceptance = {}): Promise<void> {
    await this.#run(path, async () =>
      (await ensureFolder(this.#scopeRoot, creatableSegments(path), mode, work))[Symbol.dispose](),
    )
  }

  async usage(path: VirtualPath): Promise<Usage> {
    return await this.#run(path, async () => {
      using held = await holdEntry(this.#scopeRoot, reachableSegments(path))
      if (!held.targetStats.isDirectory()) return { total: 0, used: 0 }
      const { blocks, bfree, bsize } = await statfs(at(held.target))
      return { total: blocks * bsize, used: (blocks - bfree) * bsize }
    })
  }

  async measure(path: VirtualPath, signal?: AbortSignal): Promise<Amount> {
    const asked = { scopeRoot: this.#scopeRoot, path }
    return await this.#run(path, async () => await measureTree(this.#resources.searchers, asked, signal))
  }

  async watch(path: VirtualPath, listener: FolderListener): Promise<Disposable> {
    return await this.#run(path, async (permit) => {
      using held = await holdEntry(this.#scopeRoot, reachableSegments(path))
      const { dev, ino } = held.targetStats
      if (!held.targetStats.isDirectory()) fail('CONFLICT', 'this is not a folder')
      return await this.#resources.watches.add(`${dev} ${ino}`, held.target, permit, listener)
    })
  }

  async kindOf(path: VirtualPath): Promise<EntryKind | undefined> {
    return await this.#transfers.kindOf(path)
  }

  async isSame(one: VirtualPath, other: VirtualPath): Promise<boolean> {
    return await this.#transfers.isSame(one, other)
  }

  async copy(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Work = {}): Promise<void> {
    await this.#transfers.copy(from, to, mode, work)
  }

  async rename(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Acceptance = {}): Promise<boolean> {
    return await this.#transfers.rename(from, to, mode, work)
  }

  async move(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Work = {}): Promise<void> {
    await this.#transfers.move(from, to, mode, work)
  }

  async remove(path: VirtualPath, work: Work = {}): Promise<void> {
    await this.#transfers.remove(path, work)
  }

  async removeFile(path: VirtualPath, accept: (current: RemovableFile) => void): Promise<void> {
    await this.#transfers.removeFile(path, accept)
  }

  async stageFolder(
    path: VirtualPath,
    mode: Pick<TransferMode, 'length'>,
    work: Pick<Work, 'signal'> = {},
  ): Promise<StagedFolder> {
    return await this.#run(path, async (permit) => {
      // The new folder, and the one around it.
      const open = (scopeRoot: ScopeRoot) => new LocalScope(scopeRoot, this.#resources, permit.split(2))
      return await stageTree(this.#runner, path, mode, work, open)
    })
  }

  async unstage(path: VirtualPath, name: string, { leftOut }: Pick<Work, 'leftOut'> = {}): Promise<void> {
    await this.#runner.copy(path, {}, async () => await unstageTree(this.#runner, path, name, leftOut))
  }

  /** Running operations keep the folder open until they end. */
  [Symbol.dispose](): void {
    this.#scopeRoot.folder[Symbol.dispose]()
    this.#permit[Symbol.dispose]()
  }

  async *#listing(path: VirtualPath, view: ListingView, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    using held = await holdEntry(this.#scopeRoot, reachableSegments(path))
    if (!held.targetStats.isDirectory()) fail('CONFLICT', 'this is not a folder')
    const own = await this.#describe(held, path, view)
    const workers = this.#resources.listers.on(held.target)
    yield* listParts(workers, { scopeRoot: this.#scopeRoot, folder: held.target, path, view, own }, signal)
  }

  async #open(path: VirtualPath, permit: Permit): Promise<LocalFile> {
    return await openFile(this.#scopeRoot, path, permit, this.#resources.buffers)
  }

  async #describe(entry: Described, path: VirtualPath, view: ListingView): Promise<Resource> {
    const findSubtitles = async (folder: VirtualPath, name: string) =>
      await subtitlesOf(this.#resources.listers, { scopeRoot: this.#scopeRoot, folder, name, view })
    return await describe(entry, path, this.#scopeRoot.rootName ?? '', view, findSubtitles)
  }

  async #run<T>(path: VirtualPath, work: (permit: Permit) => Promise<T>): Promise<T> {
    return await this.#runner.run(path, work)
  }

  #stream<T>(
    path: VirtualPath,
    signal: AbortSignal | undefined,
    start: () => AsyncGenerator<T, void, void>,
  ): AsyncGenerator<T, void, void> {
    return this.#runner.stream(path, signal, start)
  }
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
