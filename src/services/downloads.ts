import type { Actor } from '../domain/actor.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { parseVirtualPath, type VirtualPath } from '../domain/virtual-path.ts'
import type { OpenFile } from '../storage/storage.ts'
import type { AccessService, FileAccess } from './access.ts'

export interface DownloadsDeps {
  readonly access: Pick<AccessService, 'for'>
}

/** A file to send. Dispose of it afterwards. */
export interface Download extends AsyncDisposable {
  readonly file: OpenFile
}

export function createDownloads({ access }: DownloadsDeps) {
  return {
    /** @throws NOT_PERMITTED_HERE before anything is said about the path, FORBIDDEN, NOT_FOUND, NOT_IMPLEMENTED for a folder */
    async open(actor: Actor, text: string): Promise<Download> {
      await using held = new AsyncDisposableStack()
      const files = held.use(await access.for(actor))
      files.require('downloads.raw')
      const path = parseVirtualPath(text)
      files.requireAllowed(path)
      const file = held.use(await openFile(files, path))
      const moved = held.move()
      return {
        file,
        [Symbol.asyncDispose]: async () => {
          await moved.disposeAsync()
        },
      }
    },
  }
}

export type Downloads = ReturnType<typeof createDownloads>

async function openFile(files: FileAccess, path: VirtualPath): Promise<OpenFile> {
  try {
    return await files.scope.open(path)
  } catch (error) {
    // Nearly every download is of a file: only when it is not one, a second look tells why.
    if (!isFilemgrError(error)) throw error
    const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
    if (isDir) fail('NOT_IMPLEMENTED', 'a folder cannot be downloaded as an archive yet')
    throw error
  }
}
