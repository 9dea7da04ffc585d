import { Slots } from '../../platform/limits/limiter.ts'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import type { ArchiveContent, ArchiveSelection, OpenFile } from '../../storage/storage.ts'
import type { AccessService, FileAccess } from '../access/access.ts'
import { openFile } from './open-file.ts'
import { ARCHIVE_EXTENSIONS, type ArchiveFormat, archiveFormatOf } from '../../domain/files/archive-format.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import {
  below,
  cleanVirtualPath,
  isInside,
  nameOf,
  parentOf,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'

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

/** An archive to send. Dispose of it afterwards; then the caller's next ones may begin. */
export interface Archive extends AsyncDisposable {
  /** With its extension. */
  readonly name: string
  readonly format: ArchiveFormat
  readonly content: ArchiveContent
}

/** Archives at once for one user or share: each slow download holds memory and descriptors. */
const MOST_AT_ONCE = 8

/** Archives for users and visitors, of what they may see. */
export function createArchives() {
  const slots = new Slots<string>(MOST_AT_ONCE)

  return {
    /**
     * @param folder is allowed and there; the caller has looked
     * @throws INVALID_INPUT for an unknown format or names that are none, BUSY
     */
    async open(files: FileAccess, folder: VirtualPath, asked: ArchiveQuestion, signal?: AbortSignal): Promise<Archive> {
      const { name, ...selection } = await archiveSelection(files, folder, asked)
      const slot =
        slots.take(files.countsAs) ??
        fail('BUSY', `${MOST_AT_ONCE} archives are being downloaded already; wait for one of them`, { retryAfter: 10 })
      await using held = new AsyncDisposableStack()
      held.use(slot)
      const content = await files.scope.archive(selection, files.view('/'), signal)
      const moved = held.move()
      return {
        name: `${name}${ARCHIVE_EXTENSIONS[selection.format]}`,
        format: selection.format,
        content,
        [Symbol.asyncDispose]: async () => await moved.disposeAsync(),
      }
    },
  }
}

export type Archives = ReturnType<typeof createArchives>

/** What a request says about the archive it wants. */
export interface ArchiveQuestion {
  /** Paths beneath the folder, separated by commas and percent-encoded once more; all of the folder when there are none. */
  readonly files?: string | undefined
  /** Word of a format; a zip unless said. */
  readonly algo?: string | undefined
}

export interface NamedSelection extends ArchiveSelection {
  /** What the archive is called, without its extension. */
  readonly name: string
}

const MOST_ITEMS = 1000

/**
 * Reads which archive is wanted. Old clients know how it is called and what its members are: a single folder gives its
 * content, several items are told from the deepest folder that holds all of them.
 *
 * @throws INVALID_INPUT
 */
async function archiveSelection(
  files: FileAccess,
  folder: VirtualPath,
  { files: list = '', algo }: ArchiveQuestion,
): Promise<NamedSelection> {
  const format = archiveFormatOf(algo)
  const asked = list.split(',').filter((text) => text !== '')
  if (asked.length > MOST_ITEMS) fail('INVALID_INPUT', `an archive is made of at most ${MOST_ITEMS} items at once`)
  const items = withoutInner(asked.length === 0 ? [folder] : asked.map((text) => below(folder, itemPath(text))))
  const common = items.reduce(commonFolder)
  const name = `${asked.length > 1 ? '_' : ''}${nameOf(common) || files.rootName}`
  const base = items.length === 1 && (await isFile(files, common)) ? parentOf(common) : common
  // Of the others their own names are looked at, but a single folder is not named in its archive.
  return { format, base, items: items.filter((item) => files.allows(item)), name }
}

function itemPath(text: string): VirtualPath {
  try {
    return cleanVirtualPath(decodeURIComponent(text))
  } catch (error) {
    if (error instanceof URIError) fail('INVALID_INPUT', 'a name among the files has an invalid percent escape')
    throw error
  }
}

/** The same file twice would be two members of one name. */
function withoutInner(items: readonly VirtualPath[]): VirtualPath[] {
  const different = [...new Set(items)]
  return different.filter((item) => !different.some((other) => other !== item && isInside(other, item)))
}

function commonFolder(one: VirtualPath, other: VirtualPath): VirtualPath {
  let common = one
  while (common !== ROOT && !isInside(common, other)) common = parentOf(common)
  return common
}

async function isFile(files: FileAccess, path: VirtualPath): Promise<boolean> {
  if (path === ROOT || !files.allows(path)) return false
  try {
    return !(await files.scope.stat(path, { ...files.view('/'), sniff: false })).isDir
  } catch (error) {
    // What is not there, or not to be had, is left out.
    if (isFilemgrError(error, 'NOT_FOUND') || isFilemgrError(error, 'FORBIDDEN')) return false
    throw error
  }
}
