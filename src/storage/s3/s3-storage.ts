import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { HiddenEntry } from '../../domain/files/hidden-entry.ts'
import { parseVirtualPath, ROOT, segmentsOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { BucketLocation } from '../../domain/server/addresses.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { type NameLocks, ProcessLocks } from '../../platform/limits/name-locks.ts'
import { HeavyMemory } from '../../platform/limits/heavy-memory.ts'
import { createArchiveCompressors } from '../../platform/archives/write/compress-tar.ts'
import { isReservedName, isStagedName, StagedNames, TRASH, type Unseen } from '../reserved-names.ts'
import { Bucket } from './bucket.ts'
import { type BucketRoot, lookUp, makeFoldersAbove, makeNewFolder, newKeyOf } from './bucket-root.ts'
import { bucketScope } from './bucket-scope.ts'
import { DetailsCache, JustSeen } from './details-cache.ts'
import { undoLeftPlacement } from './placement-plan.ts'
import type { Storage, StoragePath, VisitHidden } from '../storage.ts'

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

export interface VersionedStorage {
  /** Whether replaced and deleted files stay in the bucket, where we cannot see them. */
  keepsVersions(): Promise<boolean>
}

/**
 * Opens an S3 bucket, or a prefix of one, as storage. The address of the server and the credentials come from the environment or
 * from the configuration files of the AWS tools. Sends no request yet.
 */
export function openS3Storage(
  { bucket: name, prefix }: BucketLocation,
  {
    staged = new StagedNames(),
    clock = systemClock,
    locks = new ProcessLocks(),
    memory = new HeavyMemory(),
    direct,
  }: S3StorageOptions = {},
): Storage & VersionedStorage {
  const bucket = new Bucket(
    name,
    {
      begin: () => `${prefix}${staged.begin()}/`,
      end: (ended) => staged.end(ended.slice(prefix.length, -1)),
      leaveBehind: (left) => staged.leaveBehind(left.slice(prefix.length, -1)),
    },
    direct === undefined ? undefined : { endpoint: direct, clock },
  )
  const archives = createArchiveCompressors(memory)
  const top: BucketRoot = {
    bucket,
    home: prefix,
    prefix,
    permits: undefined,
    realPrefix: ROOT,
    rootName: '',
    staged,
    clock,
    details: new DetailsCache(bucket),
    locks,
    justSeen: new JustSeen(),
  }

  /** All staged files lie at the top, so that they are found without listing all keys. */
  async function visitStaged(visit: VisitHidden, signal?: AbortSignal): Promise<Unseen> {
    const { home } = top
    const isLiving = await staged.living(clock)
    const first = `${home}.`
    // Neither by the prefix "." nor after it: MinIO takes both for a path to the folder itself, and refuses them. Staged names begin
    // with characters after "!".
    const options = { isGrouped: true, after: `${first}!`, signal }
    for await (const { objects, folders } of bucket.pages(home, options)) {
      for (const folder of folders) {
        const name = folder.slice(home.length, -1)
        if (!isStagedName(name)) continue
        const { size, changed } = await stateOf(folder)
        const whose = { by: staged.stagedBy(name), isAlive: isLiving(name, changed) }
        const entry = { kind: 'staged', path: `/${name}`, name, ...whose, isDir: false, size, changed } as const
        if (!(await visit(entry))) continue
        await undoLeftPlacement(top, folder)
        await bucket.abortRecorded(folder)
        await removeAll(folder)
      }
      // In byte order, no other name with a dot follows.
      if ([...objects.map(({ key }) => key), ...folders].some((key) => !key.startsWith(first))) return 'nothing'
    }
    return 'nothing'
  }

  async function stateOf(prefix: string): Promise<{ size: number; changed: number }> {
    let [size, changed] = [0, 0]
    for await (const { objects } of bucket.pages(prefix))
      for (const object of objects) {
        size += object.size
        changed = Math.max(changed, Number(object.stored / 1_000_000n))
      }
    return { size, changed }
  }

  /** The outermost trash of an owner that contains the key. */
  function trashAround(key: string): (HiddenEntry & { kind: 'trash' }) | undefined {
    const segments = key.slice(top.home.length).split('/')
    const at = segments.findIndex((name) => name.toLowerCase() === TRASH)
    const owner = segments[at + 1]
    if (at < 0 || owner === undefined || owner === '') return undefined
    const path = `/${segments.slice(0, at + 2).join('/')}`
    return { kind: 'trash', path, owner, scope: `/${segments.slice(0, at).join('/')}` }
  }

  async function removeAll(prefix: string): Promise<void> {
    for await (const { objects } of bucket.pages(prefix)) await bucket.remove(objects.map(({ key }) => key))
  }

  return {
    async ready() {
      try {
        await bucket.first(top.home)
      } catch (error) {
        if (!isFilemgrError(error, 'FORBIDDEN')) throw error
        fail('UNAVAILABLE', `these credentials may not list the bucket ${bucket.name}: permit s3:ListBucket`)
      }
    },

    conditions: async () => await bucket.conditions(),
    keepsVersions: async () => await bucket.hasVersions(),

    async openScope(folder, _links, permits) {
      const path = scopePath(folder)
      const key = newKeyOf(top, path)
      if (path !== ROOT && (await lookUp(top, key))?.kind !== 'folder')
        fail('NOT_FOUND', 'there is nothing at this path')
      const prefix = path === ROOT ? top.prefix : `${key}/`
      return bucketScope({ ...top, prefix, permits, justSeen: new JustSeen() }, archives)
    },

    async makeScope(folder, _links, { admitFolder } = {}) {
      const path = scopePath(folder)
      if (path === ROOT) return
      const found = await lookUp(top, newKeyOf(top, path))
      if (found?.kind === 'folder') return
      if (found !== undefined) fail('CONFLICT', 'a file is in the way', { reason: 'fileInWay' })
      await makeFoldersAbove(top, path, { admitFolder })
      await makeNewFolder(top, newKeyOf(top, path), { admitFolder })
    },

    async visitHidden(visit, signal) {
      await visitStaged(visit, signal)
      const seen = new Set<string>()
      for await (const { objects } of bucket.pages(top.home, { signal })) {
        for (const { key } of objects) {
          const trash = trashAround(key)
          if (trash === undefined || seen.has(trash.path)) continue
          seen.add(trash.path)
          if (await visit(trash)) await removeAll(`${top.home}${trash.path.slice(1)}/`)
        }
      }
      return true
    },

    visitStaged,

    sweep: async ({ signal, dead = [] } = {}) =>
      await staged.sweep({ dead }, async (isAbandoned) => await visitStaged(isAbandoned, signal)),

    async [Symbol.asyncDispose]() {
      await archives[Symbol.asyncDispose]()
      bucket[Symbol.dispose]()
    },
  }
}

function scopePath(folder: StoragePath): VirtualPath {
  const path = parseVirtualPath(folder)
  if (segmentsOf(path).some(isReservedName)) fail('NOT_FOUND', 'there is nothing at this path')
  return path
}
