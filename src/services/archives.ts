import { ARCHIVE_EXTENSIONS, type ArchiveFormat } from '../domain/archive-format.ts'
import { fail } from '../domain/errors.ts'
import type { VirtualPath } from '../domain/virtual-path.ts'
import type { FileAccess } from './access.ts'
import { archiveSelection, type ArchiveQuestion } from './archives/archive-selection.ts'

/** An archive to send. Dispose of it afterwards; then others of whoever asks may begin. */
export interface Archive extends AsyncDisposable {
  /** With its extension. */
  readonly name: string
  readonly format: ArchiveFormat
  readonly parts: AsyncIterable<Uint8Array>
}

/** Everyone who downloads slowly holds memory and descriptors all the while. */
const MOST_AT_ONCE = 8

/** Archives of what somebody may see, for users and for visitors of their shares. */
export function createArchives() {
  const running = new Map<string, number>()

  const begin = (owner: string): Disposable => {
    const count = running.get(owner) ?? 0
    if (count >= MOST_AT_ONCE) {
      fail('BUSY', `${MOST_AT_ONCE} archives are being downloaded already; wait for one of them`, { retryAfter: 10 })
    }
    running.set(owner, count + 1)
    return {
      [Symbol.dispose]() {
        const left = (running.get(owner) ?? 1) - 1
        if (left === 0) running.delete(owner)
        else running.set(owner, left)
      },
    }
  }

  return {
    /**
     * @param folder is allowed and there; the caller has looked
     * @throws INVALID_INPUT for an unknown format or names that are none, BUSY
     */
    async open(files: FileAccess, folder: VirtualPath, asked: ArchiveQuestion, signal?: AbortSignal): Promise<Archive> {
      const { name, ...selection } = await archiveSelection(files, folder, asked)
      const place = begin(files.countsAs)
      return {
        name: `${name}${ARCHIVE_EXTENSIONS[selection.format]}`,
        format: selection.format,
        parts: files.scope.archive(selection, files.view('/'), signal),
        [Symbol.asyncDispose]: async () => place[Symbol.dispose](),
      }
    },
  }
}

export type Archives = ReturnType<typeof createArchives>
