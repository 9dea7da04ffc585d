import type { FileOrigin } from '../file-origin.ts'

/** Not in every browser, and so not in the types of the platform. */
interface AskingHandle extends FileSystemHandle {
  queryPermission?(how: { mode: 'read' }): Promise<PermissionState>
  requestPermission?(how: { mode: 'read' }): Promise<PermissionState>
}

/**
 * The file at a kept place of the user's disk; null when it is gone, or the browser does not let us.
 *
 * @param mayAsk let the browser ask the user; only right after a click
 */
export async function fileOfOrigin({ handle, path }: FileOrigin, mayAsk: boolean): Promise<File | null> {
  try {
    if (!(await isAllowed(handle, mayAsk))) return null
    let place: FileSystemHandle = handle
    const names = path === '' ? [] : path.split('/')
    for (const [index, name] of names.entries()) {
      if (!isFolder(place)) return null
      place = await (index === names.length - 1 ? place.getFileHandle(name) : place.getDirectoryHandle(name))
    }
    return isFolder(place) ? null : await (place as FileSystemFileHandle).getFile()
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

async function isAllowed(handle: AskingHandle, mayAsk: boolean): Promise<boolean> {
  const state = await handle.queryPermission?.({ mode: 'read' })
  if (state !== 'prompt' || !mayAsk) return state === 'granted'
  return (await handle.requestPermission?.({ mode: 'read' })) === 'granted'
}

function isFolder(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === 'directory'
}
