import { isFilemgrError } from '../../domain/errors.ts'
import type { VirtualPath } from '../../domain/virtual-path.ts'
import type { OpenFile } from '../../storage/storage.ts'
import type { FileAccess } from '../access.ts'

/** Undefined for a folder. @throws as `Scope.open` */
export async function openFile(files: FileAccess, path: VirtualPath): Promise<OpenFile | undefined> {
  try {
    return await files.scope.open(path)
  } catch (error) {
    // Nearly always a file is asked for: only when it is none, a second look tells why.
    if (!isFilemgrError(error)) throw error
    const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
    if (isDir) return undefined
    throw error
  }
}
