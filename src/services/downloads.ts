import type { Actor, Visitor } from '../domain/actor.ts'
import type { OpenFile } from '../storage/storage.ts'
import type { AccessService } from './access.ts'
import type { ArchiveQuestion } from './archives/archive-selection.ts'
import type { Archive, Archives } from './archives.ts'
import { openFile } from './files/open-file.ts'

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
