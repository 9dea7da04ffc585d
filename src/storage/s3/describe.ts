import { IMAGE_HEAD_BYTES, readImageHead, shownSize } from '../../domain/files/media/image-head.ts'
import { extensionOf, typeByName } from '../../domain/files/media/media-type.ts'
import type { Resource } from '../../domain/files/resource.ts'
import { nameOf, parentOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { createTimeFormat } from '../../domain/files/file-time.ts'
import type { ListingView } from '../storage.ts'
import { type BucketRoot, find, folderKey } from './bucket-root.ts'
import { wholeOf } from './client.ts'
import { readFolder } from './read-folder.ts'
import type { StoredObject } from './stored-object.ts'
import { subtitlesOf } from './subtitles.ts'

/** Shown for all objects, which have no permissions. On the wire, the high bit means a folder. */
export const MODE_OF_FILE = 0o644
export const MODE_OF_FOLDER = 2 ** 31 + 0o755

/** The entry as returned by a direct GET. */
export async function describe(root: BucketRoot, path: VirtualPath, view: ListingView): Promise<Resource> {
  const found = await find(root, path)
  const isDir = found.kind === 'folder'
  const ownName = nameOf(path) || root.rootName
  const name = isDir ? (view.shownName ?? ownName) : ownName
  return {
    path: view.shownPath,
    name,
    size: isDir ? 0 : found.object.size,
    extension: extensionOf(name),
    ...(isDir
      ? await folderFields(root, folderKey(root, found.key))
      : await fileFields(root, path, view, name, found.object)),
    isDir,
    isSymlink: false,
    ...(view.token !== undefined && { token: view.token }),
    ...(view.expire !== undefined && { expire: view.expire }),
    ...(view.permissions && { permissions: view.permissions }),
  }
}

type KindFields = Pick<Resource, 'modified' | 'mode' | 'type' | 'resolution' | 'subtitles'>

async function folderFields(root: BucketRoot, key: string): Promise<KindFields> {
  const modified = await root.details.folderTime(key, root.clock.now())
  return { modified: createTimeFormat()(modified), mode: MODE_OF_FOLDER, type: '' }
}

async function fileFields(
  root: BucketRoot,
  path: VirtualPath,
  view: ListingView,
  name: string,
  object: StoredObject,
): Promise<KindFields> {
  const details = await root.details.get(object, name, true)
  const type = details?.type ?? typeByName(name, object.size)
  const resolution = type === 'image' && view.measure === true ? await resolutionOf(root, object) : undefined
  // If the root is a single file, there is nothing beside it.
  const subtitles = type === 'video' && path !== ROOT ? await subtitlesBeside(root, path, view, name) : []
  return {
    modified: createTimeFormat()(object.modified),
    mode: MODE_OF_FILE,
    type: type === 'text' && !view.canModify ? 'textImmutable' : type,
    ...(resolution && { resolution }),
    ...(subtitles.length > 0 && { subtitles }),
  }
}

async function subtitlesBeside(
  root: BucketRoot,
  path: VirtualPath,
  view: ListingView,
  name: string,
): Promise<string[]> {
  const folder = parentOf(path)
  const shown = view.shownPath.replace(/\/$/, '')
  const shownPath = shown.slice(0, shown.length - name.length)
  const entries = await readFolder(root, folder, view)
  return (await subtitlesOf(root, folder, { ...view, shownPath }, entries))(name)
}

async function resolutionOf(root: BucketRoot, { key, size, etag }: StoredObject): Promise<Resource['resolution']> {
  if (size === 0) return undefined
  const found = await root.bucket.get(key, { span: { start: 0, end: Math.min(IMAGE_HEAD_BYTES, size) }, etag })
  const head = found && readImageHead(await wholeOf(found.body))
  return head && shownSize(head)
}
