import { createHash } from 'node:crypto'
import { fail, throwIfCancelled } from '../../domain/errors.ts'
import type { Checksum } from '../../domain/files/resource.ts'
import { below, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ArchiveCompressors } from '../../platform/archives/write/compress-tar.ts'
import { packMembers } from '../../platform/archives/write/pack-members.ts'
import { copyAcross, judgedBy, moveAcross } from '../across-storages.ts'
import { reachableSegments } from '../reserved-names.ts'
import type { Scope } from '../storage.ts'
import { LeftOutList } from '../../domain/files/left-out.ts'
import { archiveParts } from './bucket-archive.ts'
import { inodeOf, openFile } from './bucket-file.ts'
import {
  type BucketRoot,
  find,
  isInBucket,
  keyOf,
  kindAt,
  lookUp,
  makeFoldersAbove,
  makeNewFolder,
  newKeyOf,
  type OfBucketRoot,
  shownNameOf,
  withoutRules,
} from './bucket-root.ts'
import { bucketStaging } from './bucket-staging.ts'
import { bucketTrash } from './bucket-trash.ts'
import { describe } from './describe.ts'
import { listFolder } from './list-folder.ts'
import { readFolder } from './read-folder.ts'
import { stageFolder, unstage } from './staged-folder.ts'
import { copyEntry } from './copy-entry.ts'
import { moveEntry, renameEntry } from './move-entry.ts'
import { removeEmpty, removeEntry, removeFile } from './remove-entry.ts'
import { flatEntries, measureTree, searchTree, walkTree } from './tree.ts'
import { writeFile } from './write-file.ts'

/** The operations under one prefix of a bucket. Nothing is open between them. */
export function bucketScope(root: BucketRoot, archives: ArchiveCompressors): Scope & OfBucketRoot {
  async function exists(path: VirtualPath): Promise<boolean> {
    return (await kindAt(root, keyOf(root, path))) !== undefined
  }

  /** The digest that the server has stored, if it covers the whole content. */
  async function keptDigest(path: VirtualPath, algorithm: Checksum): Promise<string | undefined> {
    if (algorithm !== 'sha1' && algorithm !== 'sha256') return undefined
    const digest = (await root.bucket.head(keyOf(root, path)))?.digests[algorithm]
    // The digest of a multipart upload is a digest of digests, and ends in "-" and the number of parts.
    return digest === undefined || digest.includes('-') ? undefined : Buffer.from(digest, 'base64').toString('hex')
  }

  const scope: Scope & OfBucketRoot = {
    root,

    get trash() {
      return bucketTrash(root)
    },

    get staging() {
      return bucketStaging(root)
    },

    localRoot: () => undefined,
    exists,
    stat: async (path, view) => await describe(root, path, view),

    async listing(path, view, signal) {
      throwIfCancelled(signal)
      const own = await describe(root, path, view)
      return await listFolder(root, path, view, own, signal)
    },

    async count(path, visibility) {
      if ((await find(root, path)).kind === 'file') fail('INVALID_INPUT', 'path is not a directory')
      return (await readFolder(root, path, visibility)).length
    },

    walk: (path, visibility, signal) => walkTree(root, path, visibility, signal),
    entries: (path, visibility, signal) => flatEntries(root, path, visibility, signal),
    search: (path, view, signal) => searchTree(root, path, view, signal),

    async archive(selection, visibility, signal) {
      const leftOut = new LeftOutList()
      return {
        parts: () => archiveParts(root, archives, selection, { visibility, leftOut }, signal),
        leftOut: () => leftOut.entries,
      }
    },

    pack: (format, members, signal) => packMembers(archives, format, members, signal),
    open: async (path) => await openFile(root, path),

    /** Identifies an entry by its key: an object has no identity that survives a change of its content. */
    async identify(path) {
      const { kind, key } = await find(root, path)
      // As the root of a scope, a folder has a slash at the end of its key.
      const name = kind === 'folder' ? key.replace(/[^/]$/, '$&/') : key
      const inode = String(inodeOf(`${root.bucket.name}/${name}${kind}`))
      return { device: 's3', inode, birth: '', isDir: kind === 'folder' }
    },

    entryAt: async () => undefined,

    async whereIs(path) {
      reachableSegments(path)
      return path
    },

    async within(path) {
      const found = await find(root, path)
      const rootName = shownNameOf(root, path)
      const inner = { ...root, realPrefix: below(root.realPrefix, path), rootName }
      if (found.kind === 'file') return bucketScope({ ...inner, file: found.key }, archives)
      const prefix = path === ROOT ? root.prefix : `${found.key}/`
      return bucketScope({ ...inner, prefix }, archives)
    },

    async checksum(path, algorithm, { signal, advance } = {}) {
      const file = await openFile(root, path)
      const kept = await keptDigest(path, algorithm)
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
    },

    write: async (path, source, mode) => await writeFile(root, path, source, mode),

    async makeFolder(path, _mode, work = {}) {
      const key = newKeyOf(root, path)
      const found = await lookUp(root, key)
      if (found?.kind === 'folder') return
      if (found !== undefined) fail('CONFLICT', 'a file is in the way', { reason: 'fileInWay' })
      work.accept?.()
      await makeFoldersAbove(root, path, work)
      await makeNewFolder(root, key, work)
    },

    /** S3 does not tell the size or the limit of a bucket. */
    async usage(path) {
      await find(root, path)
      return { total: 0, used: 0 }
    },

    measure: async (path, signal) => await measureTree(withoutRules(root), path, signal),

    /** Reports nothing, like S3: the services know our own changes, and the next listing shows those of others. */
    async watch(path) {
      if ((await find(root, path)).kind === 'file') fail('CONFLICT', 'this is not a folder', { reason: 'notFolder' })
      return { [Symbol.dispose]: () => undefined }
    },

    kindOf: async (path) => await kindAt(root, keyOf(root, path)),

    /** Keys are compared byte by byte. */
    isSame: async (one, other) => one === other && (await exists(one)),

    async copy(from, to, mode, work = {}) {
      const { into } = mode
      if (into !== undefined && !isInBucket(root, into)) await copyAcross({ source: scope, from, into, to }, mode, work)
      else await copyEntry(root, from, to, mode, judgedBy(into, work))
    },

    async rename(from, to, mode, work = {}) {
      if (mode.into !== undefined && !isInBucket(root, mode.into)) return false
      return await renameEntry(root, from, to, mode, judgedBy(mode.into, work))
    },

    async move(from, to, mode, work = {}) {
      const { into } = mode
      if (into !== undefined && !isInBucket(root, into)) await moveAcross({ source: scope, from, into, to }, mode, work)
      else await moveEntry(root, from, to, mode, judgedBy(into, work))
    },

    remove: async (path, work = {}) => await removeEntry(root, path, work),
    removeFile: async (path, accept) => await removeFile(root, path, accept),
    removeEmpty: async (path, accept) => await removeEmpty(root, path, accept),

    stageFolder: async (path, _mode, work = {}) =>
      await stageFolder(root, path, work, (inner) => bucketScope(inner, archives)),

    unstage: async (_folder, name, { leftOut } = {}) => await unstage(root, name, leftOut),

    [Symbol.dispose]() {
      // Nothing is open.
    },
  }
  return scope
}
