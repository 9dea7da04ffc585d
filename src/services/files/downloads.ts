import { Slots } from '../../platform/limits/limiter.ts'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import {
  type ArchiveContent,
  type ArchiveSelection,
  ARCHIVE_EXTENSIONS,
  type ArchiveFormat,
  archiveFormatOf,
} from '../../domain/files/archives/archive-format.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import type { Work } from '../../storage/storage.ts'
import type { AccessService } from '../access/access.ts'
import type { FileAccess } from '../access/file-access.ts'
import type { DownloadSelections } from './download-selections.ts'
import { openFile } from './open-file.ts'
import { decodeName } from '../../domain/files/name-text.ts'
import { fail, unlessFails } from '../../domain/errors.ts'
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
  readonly access: AccessService
  readonly archives: Archives
  readonly selections: DownloadSelections
}

/** A file to send, or a folder as an archive. Dispose of it afterwards. */
export type Download = AsyncDisposable &
  ({ readonly kind: 'file'; readonly file: OpenFile } | { readonly kind: 'archive'; readonly archive: Archive })

export interface DownloadWork extends Pick<Work, 'signal'> {
  /** Only the name of an archive is wanted: nothing is looked up for its content. */
  readonly isHead?: boolean
}

export function createDownloads({ access, archives, selections }: DownloadsDeps) {
  return {
    /**
     * @param work its signal is read only for an archive, because making one takes longer than opening a small file
     * @throws NOT_PERMITTED_HERE before anything else, so that it reveals nothing about the path; FORBIDDEN, NOT_FOUND; as
     *         `Archives.open`
     */
    async open(actor: Actor | Visitor, text: string, query: ArchiveQuery, work: DownloadWork = {}): Promise<Download> {
      const files = await access.at(actor, text)
      try {
        const { path } = files
        files.require('downloads.raw', path)
        files.requireAllowed(path)
        const file = await openFile(files, path)
        keepShown(files, file !== undefined && query.inline === 'true')
        if (file !== undefined) return { kind: 'file', file, [Symbol.asyncDispose]: closing(file, files) }
        const names = query.selection === undefined ? undefined : await selections.find(actor, path, query.selection)
        const archive = await archives.open(files, path, { ...query, names }, work)
        return { kind: 'archive', archive, [Symbol.asyncDispose]: closing(archive, files) }
      } catch (error) {
        files[Symbol.dispose]()
        throw error
      }
    },

    /**
     * Keeps the names of what is to be downloaded as one archive, if they are too long for an address.
     *
     * @param names paths in the folder
     * @returns the `selection` for `open`
     * @throws as `open`; INVALID_INPUT if it is no folder; TOO_LARGE, BUSY
     */
    async select(actor: Actor | Visitor, text: string, names: readonly string[]): Promise<string> {
      using files = await access.at(actor, text)
      const { path } = files
      files.require('downloads.raw', path)
      keepShown(files, false)
      files.requireAllowed(path)
      if (!(await files.scope.stat(path, { ...files.view('/'), sniff: false })).isDir)
        fail('INVALID_INPUT', 'name the folder that contains the files')
      return await selections.keep(actor, path, names)
    },
  }
}

/** @throws FORBIDDEN for what is shared only for viewing, unless the browser shows it */
function keepShown(files: FileAccess, shown: boolean): void {
  const check = () => {
    if (files.given === 'view' && !shown) fail('FORBIDDEN', 'this is shared with you only for viewing')
  }
  check()
  files.keep(check)
}

function closing(content: AsyncDisposable, files: Disposable): () => Promise<void> {
  return async () => {
    using _files = files
    await content[Symbol.asyncDispose]()
  }
}

/** An archive to send. Disposing frees its slot among the user's downloads. */
export interface Archive extends AsyncDisposable {
  /** With its extension. */
  readonly name: string
  readonly format: ArchiveFormat
  /** Undefined if only the name is wanted. */
  readonly content: ArchiveContent | undefined
}

/** Concurrent archives for one user or share, because each slow download holds memory and descriptors. */
const MAX_ARCHIVES = 8

/** Creates archives of what users and visitors may see. */
export function createArchives() {
  const slots = new Slots<string>(MAX_ARCHIVES)

  return {
    /**
     * @param folder the caller has checked that it is allowed and exists
     * @throws INVALID_INPUT for an unknown format or invalid names; BUSY
     */
    async open(files: FileAccess, folder: VirtualPath, query: NamedQuery, work: DownloadWork): Promise<Archive> {
      const { name: start, ...selection } = await archiveSelection(files, folder, query)
      const { format } = selection
      const name = `${start}${ARCHIVE_EXTENSIONS[format]}`
      if (work.isHead === true)
        return { name, format, content: undefined, [Symbol.asyncDispose]: async () => undefined }
      const slot =
        slots.tryAcquire(files.countsAs) ??
        fail('BUSY', `${MAX_ARCHIVES} archives are being downloaded already; wait for one of them`, { retryAfter: 10 })
      await using opened = new AsyncDisposableStack()
      opened.use(slot)
      files.keepRulesOf(folder)
      const content = await files.scope.archive(selection, files.readableView(), work.signal)
      const moved = opened.move()
      return {
        name,
        format,
        content,
        [Symbol.asyncDispose]: async () => await moved.disposeAsync(),
      }
    },
  }
}

export type Archives = ReturnType<typeof createArchives>

/** Query parameters of a request for an archive. */
export interface ArchiveQuery {
  /** Paths relative to the folder, comma-separated, each percent-encoded once more; by default the whole folder. */
  readonly files?: string | undefined
  /** From `select`, instead of `files`. */
  readonly selection?: string | undefined
  /** "true" for a file that the browser shows instead of saving it. */
  readonly inline?: string | undefined
  /** Format; by default zip. */
  readonly algo?: string | undefined
}

interface NamedQuery extends Pick<ArchiveQuery, 'files' | 'algo'> {
  /** Paths relative to the folder, instead of `files`. */
  readonly names?: readonly VirtualPath[] | undefined
}

interface NamedSelection extends ArchiveSelection {
  /** Name of the archive, without extension. */
  readonly name: string
}

/** In an address. */
const MAX_ITEMS = 1000

/**
 * Determines name and members of an archive, as old clients expect: a single folder gives its content, and several items have
 * paths relative to their deepest common folder.
 *
 * @throws INVALID_INPUT
 */
async function archiveSelection(
  files: FileAccess,
  folder: VirtualPath,
  { files: list, algo, names = namesIn(list) }: NamedQuery,
): Promise<NamedSelection> {
  const format = archiveFormatOf(algo)
  const items = withoutNested(names.length === 0 ? [folder] : names.map((name) => below(folder, name)))
  const common = items.reduce(commonFolder)
  const name = `${names.length > 1 ? '_' : ''}${nameOf(common) || files.rootName}`
  const base = items.length === 1 && (await isFile(files, common)) ? parentOf(common) : common
  return { format, base, items: items.filter((item) => files.allows(item)), name }
}

/** @throws INVALID_INPUT */
function namesIn(list = ''): VirtualPath[] {
  const names = list.split(',').filter((text) => text !== '')
  if (names.length > MAX_ITEMS)
    fail('INVALID_INPUT', `at most ${MAX_ITEMS} items can be named in an address; send their names by POST first`)
  return names.map(itemPath)
}

function itemPath(text: string): VirtualPath {
  try {
    return cleanVirtualPath(decodeName(text))
  } catch (error) {
    if (error instanceof URIError) fail('INVALID_INPUT', 'a name among the files has an invalid percent escape')
    throw error
  }
}

/** Removes items inside other items, which would be in the archive twice. */
function withoutNested(items: readonly VirtualPath[]): VirtualPath[] {
  const different = new Set(items)
  const isNested = (item: VirtualPath): boolean => {
    for (let folder = item; folder !== ROOT;) {
      folder = parentOf(folder)
      if (different.has(folder)) return true
    }
    return false
  }
  return [...different].filter((item) => !isNested(item))
}

function commonFolder(a: VirtualPath, b: VirtualPath): VirtualPath {
  let common = a
  while (common !== ROOT && !isInside(common, b)) common = parentOf(common)
  return common
}

async function isFile(files: FileAccess, path: VirtualPath): Promise<boolean> {
  if (path === ROOT || !files.allows(path)) return false
  const stat = files.scope.stat(path, { ...files.view('/'), sniff: false })
  // The archive leaves out missing and forbidden items.
  return (await unlessFails(stat, 'NOT_FOUND', 'FORBIDDEN'))?.isDir === false
}
