import type { Actor, Visitor } from '../domain/actor.ts'
import { isFilemgrError } from '../domain/errors.ts'
import type { VirtualPath } from '../domain/virtual-path.ts'
import type { OpenFile } from '../storage/storage.ts'
import type { AccessService, FileAccess } from './access.ts'
import type { ArchiveQuestion } from './archive-selection.ts'
import type { Archive, Archives } from './archives.ts'

export interface DownloadsDeps {
  readonly access: Pick<AccessService, 'for'>
  readonly archives: Archives
}

/** A file to send, or a folder as an archive. Dispose of it afterwards. */
export type Download = AsyncDisposable &
  ({ readonly kind: 'file'; readonly file: OpenFile } | { readonly kind: 'archive'; readonly archive: Archive })

export function createDownloads({ access, archives }: DownloadsDeps) {
  return {
    /** @throws NOT_PERMITTED_HERE before anything is said about the path, FORBIDDEN, NOT_FOUND; of an archive as `Archives.open` */
    async open(actor: Actor | Visitor, text: string, asked: ArchiveQuestion, signal?: AbortSignal): Promise<Download> {
      await using held = new AsyncDisposableStack()
      const files = held.use(await access.for(actor))
      files.require('downloads.raw')
      const path = files.pathOf(text)
      files.requireAllowed(path)
      const file = await openFile(files, path)
      const download =
        file === undefined
          ? ({ kind: 'archive', archive: held.use(await archives.open(files, path, asked, signal)) } as const)
          : ({ kind: 'file', file: held.use(file) } as const)
      const moved = held.move()
      return {
        ...download,
        [Symbol.asyncDispose]: async () => {
          await moved.disposeAsync()
        },
      }
    },
  }
}

export type Downloads = ReturnType<typeof createDownloads>

/** Undefined for a folder. */
async function openFile(files: FileAccess, path: VirtualPath): Promise<OpenFile | undefined> {
  try {
    return await files.scope.open(path)
  } catch (error) {
    // Nearly every download is of a file: only when it is not one, a second look tells why.
    if (!isFilemgrError(error)) throw error
    const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
    if (isDir) return undefined
    throw error
  }
}
