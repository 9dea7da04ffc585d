import { type BigIntStats, constants } from 'node:fs'
import { IMAGE_HEAD_BYTES, readImageHead, shownSize } from '../../../domain/files/media/image-head.ts'
import { extensionOf, SNIFFED_BYTES } from '../../../domain/files/media/media-type.ts'
import type { ResourceType } from '../../../domain/files/resource-type.ts'
import type { Resource } from '../../../domain/files/resource.ts'
import { nameOf, parentOf, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { createTimeFormat } from '../../../domain/files/file-time.ts'
import type { ListingView } from '../../storage.ts'
import { close, read } from '../system/gated-calls.ts'
import { reopen } from '../system/handle.ts'
import { goMode, needsContent, typeOfFile } from '../../wire-format.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** What `describe` needs to know of an entry. Unless it is a link, both stats are the same. */
export interface Described {
  readonly stats: BigIntStats
  /** A descriptor of the entry, or of the target of its link. */
  readonly target: { readonly fd: number }
  readonly targetStats: BigIntStats
  readonly isLink: boolean
}

type FindSubtitles = (folder: VirtualPath, name: string) => Promise<string[]>

/**
 * The entry as returned by a direct GET. A link has its own mode and time, but the size and type of its target.
 *
 * @param rootName name of the scope's root
 */
export async function describe(
  entry: Described,
  path: VirtualPath,
  rootName: string,
  view: ListingView,
  findSubtitles: FindSubtitles,
): Promise<Resource> {
  const { stats, target, targetStats, isLink } = entry
  const isDir = targetStats.isDirectory()
  const ownName = nameOf(path) || rootName
  const name = isDir ? (view.shownName ?? ownName) : ownName
  const size = Number(targetStats.size)
  const type = await typeOf(entry, name, size, view.canModify)
  // If the root is a single file, there is nothing beside it.
  const resolution = type === 'image' && view.measure === true ? await resolutionOf(target) : undefined
  const subtitles = type === 'video' && path !== ROOT ? await findSubtitles(parentOf(path), name) : []
  return {
    path: view.shownPath,
    name,
    size,
    extension: extensionOf(name),
    modified: createTimeFormat()(stats.mtimeNs),
    mode: goMode(stats),
    isDir,
    isSymlink: isLink,
    type,
    ...(resolution && { resolution }),
    ...(subtitles.length > 0 && { subtitles }),
    ...(view.token !== undefined && { token: view.token }),
    ...(view.expire !== undefined && { expire: view.expire }),
    ...(view.permissions && { permissions: view.permissions }),
  }
}

async function typeOf(
  { target, targetStats }: Described,
  name: string,
  size: number,
  canModify: boolean,
): Promise<ResourceType> {
  if (targetStats.isDirectory()) return ''
  if (!targetStats.isFile()) return 'blob'
  const bytes = needsContent(name, size) ? await firstBytes(target, SNIFFED_BYTES) : undefined
  return typeOfFile({ name, size, canModify, start: () => bytes })
}

/** Dimensions after rotation by its EXIF orientation; undefined if the head of the file does not contain them. */
async function resolutionOf(handle: Described['target']): Promise<Resource['resolution']> {
  const bytes = await firstBytes(handle, IMAGE_HEAD_BYTES)
  const head = bytes && readImageHead(bytes)
  return head && shownSize(head)
}

/** Undefined for a file that the daemon may not read, because the listing still shows it. */
async function firstBytes(handle: Described['target'], length: number): Promise<Uint8Array | undefined> {
  try {
    const fd = await reopen(handle, constants.O_RDONLY)
    try {
      const { bytesRead, buffer } = await read(fd, Buffer.alloc(length), 0, length, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await close(fd)
    }
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM')) return undefined
    throw error
  }
}
