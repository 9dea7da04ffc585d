import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { fail, throwIfCancelled } from '../../domain/errors.ts'
import type { EntryIdentity } from '../../domain/files/entry-identity.ts'
import type { Amount } from '../../domain/access/quota.ts'
import type { Checksum, FlatResource, Resource, Usage } from '../../domain/files/resource.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { SearchHit } from '../../domain/files/search-query.ts'
import { below, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ArchiveCompressors } from '../../platform/archives/write/compress-tar.ts'
import { reachableSegments } from '../reserved-names.ts'
import type { ArchiveContent, ArchiveSelection } from '../../domain/files/archives/archive-format.ts'
import type {
  Acceptance,
  EntryKind,
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
import { LeftOutList } from '../../domain/files/left-out.ts'
import { archiveParts } from './bucket-archive.ts'
import { inodeOf, openFile } from './bucket-file.ts'
import {
  type BucketRoot,
  find,
  keyOf,
  kindAt,
  lookUp,
  makeFoldersAbove,
  makeNewFolder,
  newKeyOf,
  shownNameOf,
  withoutRules,
} from './bucket-root.ts'
import { BucketStaging } from './bucket-staging.ts'
import { BucketTrash } from './bucket-trash.ts'
import { describe } from './describe.ts'
import { listFolder } from './list-folder.ts'
import { readFolder } from './read-folder.ts'
import { stageFolder, unstage } from './staged-folder.ts'
import { copyEntry } from './copy-entry.ts'
import { moveEntry, renameEntry } from './move-entry.ts'
import { removeEntry, removeFile } from './remove-entry.ts'
import { flatEntries, measureTree, searchTree, walkTree } from './tree.ts'
import { writeFile } from './write-file.ts'

/** The operations under one prefix of a bucket. Nothing is open between them. */
export class BucketScope implements Scope {
  readonly #root: BucketRoot
  readonly #archives: ArchiveCompressors

  constructor(root: BucketRoot, archives: ArchiveCompressors) {
    this.#root = root
    this.#archives = archives
  }

  get trash(): Trash {
    return new BucketTrash(this.#root)
  }

  get staging(): Staging {
    return new BucketStaging(this.#root)
  }

  localRoot(): undefined {
    return undefined
  }

  async exists(path: VirtualPath): Promise<boolean> {
    return (await kindAt(this.#root, keyOf(this.#root, path))) !== undefined
  }

  async stat(path: VirtualPath, view: ListingView): Promise<Resource> {
    return await describe(this.#root, path, view)
  }

  async listing(path: VirtualPath, view: ListingView, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    throwIfCancelled(signal)
    const own = await describe(this.#root, path, view)
    return await listFolder(this.#root, path, view, own, signal)
  }

  async count(path: VirtualPath, visibility: Visibility): Promise<number> {
    if ((await find(this.#root, path)).kind === 'file') fail('INVALID_INPUT', 'path is not a directory')
    return (await readFolder(this.#root, path, visibility)).length
  }

  walk(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<readonly FlatResource[]> {
    return walkTree(this.#root, path, visibility, signal)
  }

  entries(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<readonly FlatResource[]> {
    return flatEntries(this.#root, path, visibility, signal)
  }

  search(path: VirtualPath, view: SearchView, signal?: AbortSignal): AsyncIterable<readonly SearchHit[]> {
    return searchTree(this.#root, path, view, signal)
  }

  async archive(selection: ArchiveSelection, visibility: Visibility, signal?: AbortSignal): Promise<ArchiveContent> {
    const leftOut = new LeftOutList()
    return {
      parts: () => archiveParts(this.#root, this.#archives, selection, { visibility, leftOut }, signal),
      leftOut: () => leftOut.entries,
    }
  }

  async open(path: VirtualPath): Promise<OpenFile> {
    return await openFile(this.#root, path)
  }

  /** Identifies an entry by its key: an object has no identity that survives a change of its content. */
  async identify(path: VirtualPath): Promise<EntryIdentity> {
    const { kind, key } = await find(this.#root, path)
    return { device: 's3', inode: String(inodeOf(`${this.#root.bucket.name}/${key}${kind}`)), birth: '' }
  }

  async entryAt(): Promise<undefined> {
    return undefined
  }

  async whereIs(path: VirtualPath): Promise<VirtualPath> {
    reachableSegments(path)
    return path
  }

  async within(path: VirtualPath): Promise<Scope> {
    const found = await find(this.#root, path)
    const rootName = shownNameOf(this.#root, path)
    const root = { ...this.#root, realPrefix: below(this.#root.realPrefix, path), rootName }
    if (found.kind === 'file') return new BucketScope({ ...root, file: found.key }, this.#archives)
    const prefix = path === ROOT ? this.#root.prefix : `${found.key}/`
    return new BucketScope({ ...root, prefix }, this.#archives)
  }

  async checksum(path: VirtualPath, algorithm: Checksum, { signal, advance }: Work = {}): Promise<string> {
    const file = await openFile(this.#root, path)
    const kept = await this.#keptDigest(path, algorithm)
    if (kept !== undefined) {
      advance?.(file.size, 1)
      return kept
    }
    const hash = createHash(algorithm)
    for await (const part of file.bytes({ start: 0, end: file.size }, signal)) {
      throwIfCancelled(signal)
      hash.update(part)
      advance?.(part.length, 0)
    }
    advance?.(0, 1)
    return hash.digest('hex')
  }

  async write(path: VirtualPath, source: Readable, mode: WriteMode): Promise<Written> {
    return await writeFile(this.#root, path, source, mode)
  }

  async makeFolder(path: VirtualPath, _mode: number, work: Acceptance = {}): Promise<void> {
    const key = newKeyOf(this.#root, path)
    const found = await lookUp(this.#root, key)
    if (found?.kind === 'folder') return
    if (found !== undefined) fail('CONFLICT', 'a file is in the way')
    work.accept?.()
    await makeFoldersAbove(this.#root, path, work)
    await makeNewFolder(this.#root, key, work)
  }

  /** S3 does not tell the size or the limit of a bucket. */
  async usage(path: VirtualPath): Promise<Usage> {
    await find(this.#root, path)
    return { total: 0, used: 0 }
  }

  async measure(path: VirtualPath, signal?: AbortSignal): Promise<Amount> {
    return await measureTree(withoutRules(this.#root), path, signal)
  }

  /** Reports nothing, like S3: the services know our own changes, and the next listing shows those of others. */
  async watch(path: VirtualPath): Promise<Disposable> {
    if ((await find(this.#root, path)).kind === 'file') fail('CONFLICT', 'this is not a folder')
    return { [Symbol.dispose]: () => undefined }
  }

  async kindOf(path: VirtualPath): Promise<EntryKind | undefined> {
    return await kindAt(this.#root, keyOf(this.#root, path))
  }

  /** Keys are compared byte by byte. */
  async isSame(one: VirtualPath, other: VirtualPath): Promise<boolean> {
    return one === other && (await this.exists(one))
  }

  async copy(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Work = {}): Promise<void> {
    await copyEntry(this.#root, from, to, mode, work)
  }

  async rename(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Acceptance = {}): Promise<boolean> {
    return await renameEntry(this.#root, from, to, mode, work)
  }

  async move(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Work = {}): Promise<void> {
    await moveEntry(this.#root, from, to, mode, work)
  }

  async remove(path: VirtualPath, work: Work = {}): Promise<void> {
    await removeEntry(this.#root, path, work)
  }

  async removeFile(path: VirtualPath, accept: (current: RemovableFile) => void): Promise<void> {
    await removeFile(this.#root, path, accept)
  }

  async stageFolder(path: VirtualPath, _mode: object, work: Pick<Work, 'signal'> = {}): Promise<StagedFolder> {
    return await stageFolder(this.#root, path, work, (root) => new BucketScope(root, this.#archives))
  }

  async unstage(_folder: VirtualPath, name: string, { leftOut }: Pick<Work, 'leftOut'> = {}): Promise<void> {
    await unstage(this.#root, name, leftOut)
  }

  [Symbol.dispose](): void {
    // Nothing is open.
  }

  /** The digest that the server has stored, if it covers the whole content. */
  async #keptDigest(path: VirtualPath, algorithm: Checksum): Promise<string | undefined> {
    if (algorithm !== 'sha1' && algorithm !== 'sha256') return undefined
    const digest = (await this.#root.bucket.head(keyOf(this.#root, path)))?.digests[algorithm]
    // The digest of a multipart upload is a digest of digests, and ends in "-" and the number of parts.
    return digest === undefined || digest.includes('-') ? undefined : Buffer.from(digest, 'base64').toString('hex')
  }
}
