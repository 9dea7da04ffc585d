import { type FileOrigin, type UploadEntry, entriesOfFiles, pickFiles } from '../plan/upload-entry.ts'
import type { UploadItem } from '../queue/upload-item.ts'
import type { UploadQueue } from '../queue/upload-queue.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'

/**
 * Finds the files of missing uploads: by their stored handles, if the user allows it, else with a file dialog.
 *
 * @returns false when none of the picked files was one of them
 */
export async function findMissing(queue: UploadQueue, missing: readonly UploadItem[]): Promise<boolean> {
  const remaining = await supplyFromHandles(queue, missing, true)
  if (remaining.length === 0) return true
  const [first] = remaining
  const oneFolder = remaining.every(({ group }) => group !== null && group.id === first?.group?.id)
  const picked = entriesOfFiles(await pickFiles(oneFolder ? 'folder' : 'files'))
  const matches = matchFiles(remaining, picked, undefined)
  for (const { id, file } of matches) queue.supplyFile(id, file, true)
  return matches.length > 0 || picked.length === 0
}

/**
 * @param mayAsk the user clicked Resume, so the browser may ask for permission
 * @returns uploads without a stored handle, or whose file cannot be read
 */
export async function supplyFromHandles(
  queue: UploadQueue,
  missing: readonly UploadItem[],
  mayAsk: boolean,
): Promise<UploadItem[]> {
  const remaining: UploadItem[] = []
  for (const item of missing) {
    const file = item.origin && (await fileOfOrigin(item.origin, mayAsk))
    if (file && isSameFile(item, file)) queue.supplyFile(item.id, file, mayAsk)
    else remaining.push(item)
  }
  return remaining
}

/** Not every browser has these methods, so the DOM types lack them. */
interface PermissionHandle extends FileSystemHandle {
  queryPermission?(descriptor: { mode: 'read' }): Promise<PermissionState>
  requestPermission?(descriptor: { mode: 'read' }): Promise<PermissionState>
}

/**
 * The file of a stored handle; null when it is gone or the browser denies access.
 *
 * @param mayAsk let the browser ask the user; only right after a click
 */
async function fileOfOrigin({ handle, path }: FileOrigin, mayAsk: boolean): Promise<File | null> {
  try {
    if (!(await isAllowed(handle, mayAsk))) return null
    let found: FileSystemHandle = handle
    const names = path === '' ? [] : path.split('/')
    for (const [index, name] of names.entries()) {
      if (!isFolder(found)) return null
      found = await (index === names.length - 1 ? found.getFileHandle(name) : found.getDirectoryHandle(name))
    }
    return isFolder(found) ? null : await (found as FileSystemFileHandle).getFile()
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

async function isAllowed(handle: PermissionHandle, mayAsk: boolean): Promise<boolean> {
  const state = await handle.queryPermission?.({ mode: 'read' })
  if (state !== 'prompt' || !mayAsk) return state === 'granted'
  return (await handle.requestPermission?.({ mode: 'read' })) === 'granted'
}

function isFolder(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === 'directory'
}

export interface Match {
  readonly id: number
  readonly file: File
  readonly entry: UploadEntry
}

/** The same file, judged without reading it: by size and modification time. */
function isSameFile({ size, modified }: Pick<UploadItem, 'size' | 'modified'>, file: File): boolean {
  return file.size === size && file.lastModified === modified
}

/**
 * Matches picked files with the missing uploads that wait for them.
 *
 * @param target the folder they are uploaded to; undefined for files picked to resume, which match by name
 */
export function matchFiles(
  items: readonly UploadItem[],
  entries: readonly UploadEntry[],
  target?: VirtualPath,
): readonly Match[] {
  const bySource = new Map<string, UploadItem[]>()
  for (const item of items) {
    if (item.state !== 'missing' || (target !== undefined && item.target !== target)) continue
    const source = target === undefined ? lastOf(item.source) : item.source
    bySource.set(source, [...(bySource.get(source) ?? []), item])
  }
  return entries.flatMap((entry) => {
    const { file, path } = entry
    if (file === null) return []
    const waiting = bySource.get(target === undefined ? lastOf(path) : path) ?? []
    const index = waiting.findIndex(
      (item) => isSameFile(item, file) && (path === item.source || !hasExact(waiting, entry)),
    )
    const [item] = index === -1 ? [] : waiting.splice(index, 1)
    return item === undefined ? [] : [{ id: item.id, file, entry }]
  })
}

/** Two folders may contain files of the same name: each goes to its own. */
function hasExact(waiting: readonly UploadItem[], { path, file }: UploadEntry): boolean {
  return waiting.some((item) => item.source === path && file !== null && isSameFile(item, file))
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
