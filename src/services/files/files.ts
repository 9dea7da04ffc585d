import type { Readable } from 'node:stream'
import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import {
  type Checksum,
  CHECKSUMS,
  type FlatResource,
  type FolderSize,
  type ItemCount,
  type Resource,
} from '../../domain/files/resource.ts'
import { mayDo } from '../../domain/access/permissions.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { namesFolder, parentOf, requireNewName, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { JobRequestOf } from '../../domain/automation/job-record.ts'
import type { StartedJob } from '../../platform/limits/job-queue.ts'
import type { TextReader } from '../../platform/text/text-reader.ts'
import type { OpenFile, Written } from '../../storage/open-file.ts'
import type { Work } from '../../storage/storage.ts'
import { type FileAccess, shownIn } from '../access/file-access.ts'
import type { RecordedWork } from '../automation/jobs/start-job.ts'
import { FolderRoom } from '../access/quotas/folder-room.ts'
import { FileRoom } from '../access/quotas/replacement.ts'
import { freeName } from './free-name.ts'
import { createSharedFolder } from './shared-folder.ts'
import { textOf } from './open-file.ts'
import { requireMayReplace, NAME_TAKEN } from '../access/file-checks.ts'
import { type FileWorkDeps } from './transfer-jobs.ts'

export interface FilesDeps extends FileWorkDeps {
  readonly options: Pick<ServerOptions, 'disableImageResolutionCalc'>
  readonly texts: TextReader
}

export interface FileQuery {
  /** The checksum to compute; "" and undefined for none. */
  readonly checksum?: string | undefined
  /** Returns the bytes of a text file instead of a description. */
  readonly asBytes?: boolean
  /** Includes width and height of a picture, after rotation; only for users who may download. */
  readonly resolution?: boolean
}

/** The file or folder at a path. */
export type FileAnswer =
  | { readonly kind: 'folder'; readonly parts: AsyncIterable<Uint8Array> }
  /** Dispose of the file after sending it. */
  | { readonly kind: 'bytes'; readonly file: OpenFile }
  /** Has a `source` if the content is included: the state of the file when it was read. */
  | { readonly kind: 'file'; readonly resource: Resource; readonly source?: Pick<OpenFile, 'size' | 'modified'> }
  /** A checksum that takes long, which becomes the result of a job. */
  | { readonly kind: 'job'; readonly resource: Resource; readonly started: StartedJob }

export interface FileUpload {
  readonly body: Readable
  /** Length of the body in bytes, if the client states it. */
  readonly length?: number | undefined
  readonly override: boolean
  readonly signal?: AbortSignal
  /** Time of the file instead of now, in milliseconds since 1970. */
  readonly modified?: bigint | undefined
  /** Refuses if the target exists, even a folder. */
  readonly onlyNew?: boolean
  /** Whether the current file is the one that the client knows. Called with undefined if there is none. */
  readonly isExpected?: ((current: Written | undefined) => boolean) | undefined
}

export interface Saved extends Written {
  /** There was a file before. */
  readonly replaced: boolean
}

/** Bytes. From this size on, a checksum is a job. */
const LARGE = 64 * 1024 * 1024

/** Reads and writes single resources. Paths are those of the request, percent-decoded once. */
export function createFiles(deps: FilesDeps) {
  const { access, settings, options, changes, startJob, hooks, quotas, texts } = deps
  const sharedFolder = createSharedFolder({ access })

  /**
   * @param work its signal is not read for small things, because making one takes long
   * @throws FORBIDDEN, NOT_FOUND; NOT_PERMITTED_HERE for a checksum or bytes without the permission to download
   */
  async function describe(actor: Actor, text: string, query: FileQuery, work: Work = {}): Promise<FileAnswer> {
    const parts = await sharedFolder.listing(actor, text)
    if (parts !== undefined) return { kind: 'folder', parts }
    using files = await access.at(actor, text)
    const { path } = files
    files.requireAllowed(path)
    const view = files.view(shownPath(text))
    const isMeasured = query.resolution === true && !options.disableImageResolutionCalc
    const measure = isMeasured && mayDo(files.permissionsAt(path), 'files.content')
    const resource = await files.scope.stat(path, { ...view, measure })
    if (resource.isDir) {
      files.keepRulesOf(path)
      return { kind: 'folder', parts: await files.scope.listing(path, view, work.signal) }
    }
    if (query.asBytes === true) {
      files.require('files.content', path)
      if (resource.type === 'text') return { kind: 'bytes', file: await files.scope.open(path) }
    }
    if (query.checksum !== undefined && query.checksum !== '') {
      files.require('files.checksum', path)
      const algorithm = checksumOf(query.checksum)
      if (resource.size >= LARGE) {
        const request = { kind: 'checksum', path, algorithm } as const
        return { kind: 'job', resource, started: await startJob.start(actor, files, request, digesting(request)) }
      }
      const checksums = { [algorithm]: await files.scope.checksum(path, algorithm, { signal: work.signal }) }
      return { kind: 'file', resource: { ...resource, checksums } }
    }
    const isText = resource.type === 'text' || resource.type === 'textImmutable'
    if (!isText || !mayDo(files.permissionsAt(path), 'files.content')) return { kind: 'file', resource }
    files.require('files.content', path)
    await using file = await files.scope.open(path)
    const content = await textOf(file, texts, { signal: work.signal, owner: files.countsAs })
    const source = { size: file.size, modified: file.modified }
    return { kind: 'file', resource: { ...resource, ...content }, source }
  }

  /** The work of a job. */
  const digesting =
    ({ path, algorithm }: JobRequestOf<'checksum'>): RecordedWork =>
    async (own, control) => {
      own.require('files.checksum', path)
      own.requireAllowed(path)
      const { size } = await own.scope.stat(path, { ...own.view('/'), sniff: false })
      control.expect({ bytes: size, files: 1 })
      return { checksums: { [algorithm]: await own.scope.checksum(path, algorithm, control) } }
    }

  /** Everything in a folder, at any depth, in batches. @throws INVALID_INPUT if it is not a folder */
  async function* walk(
    actor: Actor,
    text: string,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly FlatResource[], void, void> {
    using files = await access.at(actor, text)
    const { path } = files
    files.requireAllowed(path)
    const view = files.view(shownPath(text))
    const { isDir } = await files.scope.stat(path, { ...view, sniff: false })
    if (!isDir) fail('INVALID_INPUT', 'path is not a directory')
    files.keepRulesOf(path)
    for await (const batch of files.scope.walk(path, view, signal)) yield shownIn(files, batch)
  }

  /** How many entries a listing of the folder has. @throws INVALID_INPUT if it is not a folder */
  async function count(actor: Actor, text: string): Promise<ItemCount> {
    using files = await access.at(actor, text)
    const { path } = files
    files.requireAllowed(path)
    return { items: await files.scope.count(path, files.view('/')) }
  }

  /** Number and total size of the entries in a folder, at any depth. @throws INVALID_INPUT if it is not a folder */
  async function measure(actor: Actor, text: string, signal?: AbortSignal): Promise<FolderSize> {
    let [bytes, found, folders] = [0, 0, 0]
    for await (const batch of walk(actor, text, signal)) {
      for (const { isDir, size } of batch) {
        if (isDir) folders += 1
        else {
          found += 1
          bytes += size
        }
      }
    }
    return { bytes, files: found, folders }
  }

  /**
   * For a file that is still arriving, so that the request ends if it would be refused meanwhile.
   *
   * @throws FORBIDDEN
   */
  async function requireMayCreate(actor: Actor, text: string): Promise<void> {
    using files = await access.at(actor, text, { sends: true })
    files.require('files.create', files.path)
    files.requireAllowed(files.path)
  }

  /**
   * Creates a file with this content, or a folder if the path ends in a slash. Checks everything before it touches the disk. An
   * upload that is aborted changes nothing.
   *
   * @throws FORBIDDEN; CONFLICT if it exists and may not be replaced, or is of the other kind; PRECONDITION_FAILED if it exists
   *         despite `onlyNew`; NO_SPACE, QUOTA_EXCEEDED
   */
  async function create(actor: Actor, text: string, upload: FileUpload): Promise<Saved | undefined> {
    using files = await access.at(actor, text, { sends: true })
    files.require('files.create', files.path)
    files.requireAllowed(files.path)
    requireNewName(files.path)
    const { signal } = upload
    // Who may see nothing must not learn which names are taken.
    const path =
      files.given === 'upload' && !namesFolder(text)
        ? await freeName(files.path, async (each) => !(await files.scope.exists(each)))
        : files.path
    if (namesFolder(text)) {
      if (upload.onlyNew === true && (await files.scope.exists(path))) fail('PRECONDITION_FAILED', NAME_TAKEN)
      const after = await hooks.begin('upload', files, { path }, { signal })
      await using folders = await FolderRoom.reserve(quotas, files, path)
      await files.scope.makeFolder(path, settings().dirMode, { accept: files.requireStill, ...folders.work })
      await changes.notify({ kind: 'written', user: files.user, path })
      await after(files)
      return undefined
    }
    const requireFree = () => {
      if (upload.onlyNew === true) fail('PRECONDITION_FAILED', NAME_TAKEN)
      requireMayReplace(files, path, upload.override)
    }
    const check = async () => {
      if (await files.scope.exists(path)) requireFree()
    }
    // Before room is reserved: a refused file needs none.
    if (quotas.appliesTo(files.user, path)) await check()
    const after = await hooks.begin('upload', files, { path }, { signal, check })
    const written = await write(files, path, upload, (current) => current && requireFree())
    await after(files)
    return written
  }

  /**
   * Replaces the content of an existing file.
   *
   * @throws METHOD_REFUSED for a path that ends in a slash; PRECONDITION_FAILED if the file is not the expected one; as `create`
   */
  async function save(actor: Actor, text: string, upload: Omit<FileUpload, 'override'>): Promise<Saved> {
    using files = await access.at(actor, text)
    const { path } = files
    files.require('files.save', path)
    files.requireAllowed(path)
    if (namesFolder(text)) fail('METHOD_REFUSED', 'a folder has no content to save')
    if ((await files.scope.kindOf(path)) !== 'file') {
      const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
      if (isDir) fail('CONFLICT', 'this is a folder', { reason: 'isFolder' })
    }
    const after = await hooks.begin('save', files, { path }, { signal: upload.signal })
    const judge = (current: Written | undefined) => {
      if (current === undefined) fail('NOT_FOUND', 'there is nothing at this path')
    }
    const written = await write(files, path, { ...upload, override: true }, judge)
    await after(files)
    return written
  }

  /**
   * Like `save`, but with an API token it also creates a missing file: `curl -T` has only this call for both. For the clients of
   * File Browser that stays an error.
   */
  async function put(actor: Actor, text: string, upload: Omit<FileUpload, 'override'>): Promise<Saved> {
    const isByToken = actor.kind === 'user' && actor.token !== undefined
    if (!isByToken || namesFolder(text) || (await exists(actor, text))) return await save(actor, text, upload)
    // Something that appears meanwhile is not overwritten.
    return (await create(actor, text, { ...upload, override: false })) ?? fail('INTERNAL', 'a folder was created')
  }

  async function exists(actor: Actor, text: string): Promise<boolean> {
    using files = await access.at(actor, text)
    const { path } = files
    files.requireAllowed(path)
    return await files.scope.exists(path)
  }

  async function write(
    files: FileAccess,
    path: VirtualPath,
    upload: FileUpload,
    judge: (current: Written | undefined) => void,
  ): Promise<Saved> {
    const { fileMode, dirMode } = settings()
    const { override: replace, length, signal, modified, isExpected } = upload
    await using room = await FileRoom.reserve(quotas, { files, path, replace }, length ?? 0)
    await using folders = await FolderRoom.reserve(quotas, files, parentOf(path))
    let old: Written | undefined
    const accept = (current: Written | undefined) => {
      old = current
      files.requireStill()
      if (isExpected?.(current) === false)
        fail('PRECONDITION_FAILED', 'the file was changed meanwhile; open it again before you save')
      judge(current)
      room.accept(current)
    }
    const grow = length === undefined ? room.growing() : undefined
    const { refresh } = files
    const admit =
      refresh === undefined
        ? grow
        : async (bytes: number) => {
            await refresh()
            await grow?.(bytes)
          }
    const mode = { replace, fileMode, folderMode: dirMode, length, signal, admit, modified, accept, ...folders.work }
    const touched = await changes.touching(files.user, path)
    const written = await files.scope.write(path, upload.body, mode)
    await room.settle(written.size)
    await touched()
    await changes.notify({ kind: 'written', user: files.user, path })
    return { ...written, replaced: old !== undefined }
  }

  return { describe, digesting, walk, count, measure, requireMayCreate, create, save, put }
}

export type Files = ReturnType<typeof createFiles>

function checksumOf(name: string): Checksum {
  const algorithm = CHECKSUMS.find((known): known is Checksum => known === name)
  return algorithm ?? fail('INVALID_INPUT', `unknown checksum, take one of ${CHECKSUMS.join(', ')}`, { terse: true })
}

/** The requested path, which keeps a slash at its end. */
function shownPath(text: string): string {
  return text.startsWith('/') ? text : `/${text}`
}
