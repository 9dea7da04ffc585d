import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { Conditions } from '../../domain/files/bucket-conditions.ts'
import type { HiddenEntry } from '../../domain/files/hidden-entry.ts'
import type { RuleCheck } from '../../domain/access/rule-check.ts'
import { parseVirtualPath, ROOT, segmentsOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { BucketLocation } from '../../domain/server/addresses.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { type NameLocks, ProcessLocks } from '../../platform/limits/name-locks.ts'
import { HeavyMemory } from '../../platform/limits/heavy-memory.ts'
import { type ArchiveCompressors, createArchiveCompressors } from '../../platform/archives/write/compress-tar.ts'
import { isReservedName, isStagedName, StagedNames, type SweepOptions, type Swept, TRASH } from '../reserved-names.ts'
import { Bucket } from './bucket.ts'
import { type BucketRoot, lookUp, makeFoldersAbove, makeNewFolder, newKeyOf } from './bucket-root.ts'
import { bucketScope } from './bucket-scope.ts'
import { DetailsCache, JustSeen } from './details-cache.ts'
import { undoLeftPlacement } from './placement-plan.ts'
import type { LinkPolicy, Scope, Storage, StoragePath, Work } from '../storage.ts'

export interface S3StorageOptions {
  /** Names for staged files. Defaults to names without an owner. */
  readonly staged?: StagedNames | undefined
  /** Locks for what several daemons change. Defaults to locks of this storage. */
  readonly locks?: NameLocks | undefined
  readonly clock?: Clock
  readonly memory?: HeavyMemory | undefined
  /** The address of the server for browsers, if they may load large files from there. */
  readonly direct?: string | undefined
}

/**
 * Opens an S3 bucket, or a prefix of one, as storage. The address of the server and the credentials come from the environment or
 * from the configuration files of the AWS tools. Sends no request yet.
 */
export function openS3Storage(place: BucketLocation, options: S3StorageOptions = {}): Storage & VersionedStorage {
  return new S3Storage(place, options)
}

export interface VersionedStorage {
  /** Whether replaced and deleted files stay in the bucket, where we cannot see them. */
  keepsVersions(): Promise<boolean>
}

class S3Storage implements Storage, VersionedStorage {
  readonly #bucket: Bucket
  readonly #staged: StagedNames
  readonly #clock: Clock
  readonly #top: BucketRoot
  readonly #archives: ArchiveCompressors

  constructor(
    { bucket, prefix }: BucketLocation,
    {
      staged = new StagedNames(),
      clock = systemClock,
      locks = new ProcessLocks(),
      memory = new HeavyMemory(),
      direct,
    }: S3StorageOptions,
  ) {
    this.#bucket = new Bucket(
      bucket,
      {
        begin: () => `${prefix}${staged.begin()}/`,
        end: (ended) => staged.end(ended.slice(prefix.length, -1)),
        leaveBehind: (left) => staged.leaveBehind(left.slice(prefix.length, -1)),
      },
      direct === undefined ? undefined : { endpoint: direct, clock },
    )
    this.#archives = createArchiveCompressors(memory)
    this.#staged = staged
    this.#clock = clock
    this.#top = {
      bucket: this.#bucket,
      home: prefix,
      prefix,
      permits: undefined,
      realPrefix: ROOT,
      rootName: '',
      staged,
      clock,
      details: new DetailsCache(this.#bucket),
      locks,
      justSeen: new JustSeen(),
    }
  }

  async ready(): Promise<void> {
    try {
      await this.#bucket.first(this.#top.home)
    } catch (error) {
      if (!isFilemgrError(error, 'FORBIDDEN')) throw error
      fail('UNAVAILABLE', `these credentials may not list the bucket ${this.#bucket.name}: permit s3:ListBucket`)
    }
  }

  async conditions(): Promise<Conditions> {
    return await this.#bucket.conditions()
  }

  async keepsVersions(): Promise<boolean> {
    return await this.#bucket.hasVersions()
  }

  async openScope(folder: StoragePath, _links: LinkPolicy, permits?: RuleCheck): Promise<Scope> {
    const path = scopePath(folder)
    const key = newKeyOf(this.#top, path)
    if (path !== ROOT && (await lookUp(this.#top, key))?.kind !== 'folder')
      fail('NOT_FOUND', 'there is nothing at this path')
    const prefix = path === ROOT ? this.#top.prefix : `${key}/`
    return bucketScope({ ...this.#top, prefix, permits, justSeen: new JustSeen() }, this.#archives)
  }

  async makeScope(
    folder: StoragePath,
    _links?: LinkPolicy,
    { admitFolder }: Pick<Work, 'admitFolder'> = {},
  ): Promise<void> {
    const path = scopePath(folder)
    if (path === ROOT) return
    const found = await lookUp(this.#top, newKeyOf(this.#top, path))
    if (found?.kind === 'folder') return
    if (found !== undefined) fail('CONFLICT', 'a file is in the way')
    await makeFoldersAbove(this.#top, path, { admitFolder })
    await makeNewFolder(this.#top, newKeyOf(this.#top, path), { admitFolder })
  }

  async visitHidden(visit: (entry: HiddenEntry) => Promise<boolean> | boolean, signal?: AbortSignal): Promise<boolean> {
    await this.#visitStaged(visit, signal)
    const seen = new Set<string>()
    for await (const { objects } of this.#bucket.pages(this.#top.home, { signal })) {
      for (const { key } of objects) {
        const trash = this.#trashAround(key)
        if (trash === undefined || seen.has(trash.path)) continue
        seen.add(trash.path)
        if (await visit(trash)) await this.#removeAll(`${this.#top.home}${trash.path.slice(1)}/`)
      }
    }
    return true
  }

  async sweep({ signal, dead = [] }: SweepOptions = {}): Promise<Swept> {
    return await this.#staged.sweep({ dead }, async (isAbandoned) => {
      await this.#visitStaged(isAbandoned, signal)
      return 'nothing'
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#archives[Symbol.asyncDispose]()
    this.#bucket[Symbol.dispose]()
  }

  /** All staged files lie at the top, so that they are found without listing all keys. */
  async #visitStaged(visit: (entry: HiddenEntry) => Promise<boolean> | boolean, signal?: AbortSignal): Promise<void> {
    const { home } = this.#top
    const isLiving = await this.#staged.living(this.#clock)
    const first = `${home}.`
    // Neither by the prefix "." nor after it: MinIO takes both for a path to the folder itself, and refuses them. Staged names begin
    // with characters after "!".
    const options = { isGrouped: true, after: `${first}!`, signal }
    for await (const { objects, folders } of this.#bucket.pages(home, options)) {
      for (const folder of folders) {
        const name = folder.slice(home.length, -1)
        if (!isStagedName(name)) continue
        const { size, changed } = await this.#stateOf(folder)
        const whose = { by: this.#staged.stagedBy(name), isAlive: isLiving(name, changed) }
        const entry = { kind: 'staged', path: `/${name}`, name, ...whose, isDir: false, size, changed } as const
        if (!(await visit(entry))) continue
        await undoLeftPlacement(this.#top, folder)
        await this.#bucket.abortRecorded(folder)
        await this.#removeAll(folder)
      }
      // In byte order, no other name with a dot follows.
      if ([...objects.map(({ key }) => key), ...folders].some((key) => !key.startsWith(first))) return
    }
  }

  async #stateOf(prefix: string): Promise<{ size: number; changed: number }> {
    let [size, changed] = [0, 0]
    for await (const { objects } of this.#bucket.pages(prefix))
      for (const object of objects) {
        size += object.size
        changed = Math.max(changed, Number(object.stored / 1_000_000n))
      }
    return { size, changed }
  }

  /** The outermost trash of an owner that contains the key. */
  #trashAround(key: string): (HiddenEntry & { kind: 'trash' }) | undefined {
    const segments = key.slice(this.#top.home.length).split('/')
    const at = segments.findIndex((name) => name.toLowerCase() === TRASH)
    const owner = segments[at + 1]
    if (at < 0 || owner === undefined || owner === '') return undefined
    const path = `/${segments.slice(0, at + 2).join('/')}`
    return { kind: 'trash', path, owner, scope: `/${segments.slice(0, at).join('/')}` }
  }

  async #removeAll(prefix: string): Promise<void> {
    for await (const { objects } of this.#bucket.pages(prefix)) await this.#bucket.remove(objects.map(({ key }) => key))
  }
}

function scopePath(folder: StoragePath): VirtualPath {
  const path = parseVirtualPath(folder)
  if (segmentsOf(path).some(isReservedName)) fail('NOT_FOUND', 'there is nothing at this path')
  return path
}
