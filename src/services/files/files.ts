import type { Readable } from 'node:stream'
import { type Actor, userOf } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import {
  type Checksum,
  CHECKSUMS,
  type FlatResource,
  type FolderSize,
  type ItemCount,
  type Resource,
  type Usage,
} from '../../domain/files/resource.ts'
import { mayDo } from '../../domain/access/permissions.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { namesFolder, parseVirtualPath, requireNewName, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { JobQueue, StartedJob } from '../../platform/limits/job-queue.ts'
import type { OpenFile, Written } from '../../storage/storage.ts'
import type { AccessService, FileAccess } from '../access/access.ts'
import type { FileChanges } from './file-changes.ts'
import type { HookRunner } from '../hooks/hook-runner.ts'
import { textOf } from './open-file.ts'
import { requireMayReplace, TAKEN } from './file-checks.ts'

export interface FilesDeps {
  readonly access: Pick<AccessService, 'for'>
  /** The settings of this moment. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode'>
  readonly options: Pick<ServerOptions, 'disableImageResolutionCalc'>
  readonly changes: Pick<FileChanges, 'notify' | 'touching'>
  readonly jobs: Pick<JobQueue, 'start'>
  readonly hooks: Pick<HookRunner, 'begin'>
}

export interface FileQuestion {
  /** The checksum to compute; "" and undefined for none. */
  readonly checksum?: string | undefined
  /** Returns the bytes of a text file instead of a description. */
  readonly asBytes?: boolean
  /** Width and height of a picture, as it is shown; as its content, for those who may download. */
  readonly resolution?: boolean
}

/** What there is at a path. Dispose of it when it has been sent. */
export type FileAnswer = AsyncDisposable &
  (
    | { readonly kind: 'folder'; readonly parts: AsyncIterable<Uint8Array> }
    | { readonly kind: 'bytes'; readonly file: OpenFile }
    | { readonly kind: 'file'; readonly resource: Resource; readonly source?: OpenFile }
    /** A checksum that takes a while: the job answers with it. */
    | { readonly kind: 'job'; readonly resource: Resource; readonly started: StartedJob }
  )

export interface FileUpload {
  readonly body: Readable
  /** Length of the body in bytes, if the client states it. */
  readonly length?: number | undefined
  readonly override: boolean
  readonly signal?: AbortSignal
  /** Time of the file instead of now, in milliseconds since 1970. */
  readonly modified?: number | undefined
  /** Refuses if the target exists, even a folder. */
  readonly onlyNew?: boolean
  /** Whether the file is still the one that the client knows. Undefined asks about a name where nothing is. */
  readonly isExpected?: ((current: Written | undefined) => boolean) | undefined
}

/** From this size on a checksum is a job, in bytes. */
const LARGE = 64 * 1024 * 1024

/** Reading and writing single resources. Paths are the text of the request, percent-decoded once. */
export function createFiles({ access, settings, options, changes, jobs, hooks }: FilesDeps) {
  /** @throws FORBIDDEN, NOT_FOUND; NOT_PERMITTED_HERE for a checksum or bytes without the permission to download */
  async function describe(actor: Actor, text: string, asked: FileQuestion, signal?: AbortSignal): Promise<FileAnswer> {
    await using held = new AsyncDisposableStack()
    const path = parseVirtualPath(text)
    const files = held.use(await access.for(actor))
    files.requireAllowed(path)
    const view = files.view(shownPath(text))
    const isMeasured = asked.resolution === true && !options.disableImageResolutionCalc
    const measure = isMeasured && mayDo(files.permissions, 'files.content')
    const resource = await files.scope.stat(path, { ...view, measure })
    if (resource.isDir) {
      const parts = await files.scope.listing(path, view, signal)
      return keep(held, { kind: 'folder', parts })
    }
    if (asked.asBytes === true) {
      files.require('files.content')
      if (resource.type === 'text') return keep(held, { kind: 'bytes', file: held.use(await files.scope.open(path)) })
    }
    if (asked.checksum !== undefined && asked.checksum !== '') {
      files.require('files.checksum')
      const algorithm = checksumOf(asked.checksum)
      if (resource.size >= LARGE)
        return keep(held, { kind: 'job', resource, started: startDigest(actor, path, algorithm) })
      const checksums = { [algorithm]: await files.scope.checksum(path, algorithm, { signal }) }
      return keep(held, { kind: 'file', resource: { ...resource, checksums } })
    }
    const isText = resource.type === 'text' || resource.type === 'textImmutable'
    if (!isText || !mayDo(files.permissions, 'files.content')) return keep(held, { kind: 'file', resource })
    const source = held.use(await files.scope.open(path))
    const content = await textOf(source)
    return keep(held, { kind: 'file', resource: content === '' ? resource : { ...resource, content }, source })
  }

  function startDigest(actor: Actor, path: VirtualPath, algorithm: Checksum): StartedJob {
    return jobs.start({ kind: 'checksum', userID: userOf(actor).id, path }, async (control) => {
      await using files = await access.for(actor)
      const { size } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
      control.expect({ bytes: size, files: 1 })
      return { checksums: { [algorithm]: await files.scope.checksum(path, algorithm, control) } }
    })
  }

  /** Everything beneath a folder. @throws INVALID_INPUT when it is no folder */
  async function* walk(actor: Actor, text: string, signal?: AbortSignal): AsyncGenerator<FlatResource> {
    const path = parseVirtualPath(text)
    await using files = await access.for(actor)
    files.requireAllowed(path)
    const view = files.view(shownPath(text))
    const { isDir } = await files.scope.stat(path, { ...view, sniff: false })
    if (!isDir) fail('INVALID_INPUT', 'path is not a directory')
    yield* files.scope.walk(path, view, signal)
  }

  /** How many entries a listing of the folder would tell of. @throws INVALID_INPUT when it is no folder */
  async function count(actor: Actor, text: string): Promise<ItemCount> {
    const path = parseVirtualPath(text)
    await using files = await access.for(actor)
    files.requireAllowed(path)
    return { items: await files.scope.count(path, files.view('/')) }
  }

  /** How much there is beneath a folder. @throws INVALID_INPUT when it is no folder */
  async function measure(actor: Actor, text: string, signal?: AbortSignal): Promise<FolderSize> {
    let [bytes, found, folders] = [0, 0, 0]
    for await (const { isDir, size } of walk(actor, text, signal)) {
      if (isDir) folders += 1
      else {
        found += 1
        bytes += size
      }
    }
    return { bytes, files: found, folders }
  }

  /**
   * A file with this content, or a folder when the path ends in a slash. All is checked before the disk is touched; an
   * upload that breaks off leaves what was there.
   *
   * @throws FORBIDDEN, CONFLICT (exists and is not to be replaced, or is of the other kind), PRECONDITION_FAILED (exists and is
   *         to be new), NO_SPACE
   */
  async function create(actor: Actor, text: string, upload: FileUpload): Promise<Written | undefined> {
    const path = parseVirtualPath(text)
    await using files = await access.for(actor)
    files.require('files.create')
    files.requireAllowed(path)
    requireNewName(path)
    if (upload.onlyNew === true && (await files.scope.exists(path))) fail('PRECONDITION_FAILED', TAKEN)
    if (namesFolder(text)) {
      const after = await hooks.begin('upload', files, { path }, upload.signal)
      await files.scope.makeFolder(path, settings().dirMode)
      await changes.notify({ kind: 'written', user: files.user, path })
      await after(files)
      return undefined
    }
    const judge = (current: Written | undefined) => {
      if (current === undefined) return
      if (upload.onlyNew === true) fail('PRECONDITION_FAILED', TAKEN)
      requireMayReplace(files, upload.override)
    }
    if (await files.scope.exists(path)) requireMayReplace(files, upload.override)
    const after = await hooks.begin('upload', files, { path }, upload.signal)
    const written = await write(files, path, upload, judge)
    await after(files)
    return written
  }

  /**
   * New content of a file that is there.
   *
   * @throws METHOD_REFUSED for a path that ends in a slash, PRECONDITION_FAILED when the file is not the expected one, and as
   *         `create`
   */
  async function save(actor: Actor, text: string, upload: Omit<FileUpload, 'override'>): Promise<Written> {
    const path = parseVirtualPath(text)
    await using files = await access.for(actor)
    files.require('files.save')
    files.requireAllowed(path)
    if (namesFolder(text)) fail('METHOD_REFUSED', 'a folder has no content to save')
    const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
    if (isDir) fail('CONFLICT', 'this is a folder')
    const after = await hooks.begin('save', files, { path }, upload.signal)
    const judge = (current: Written | undefined) => {
      if (current === undefined) fail('NOT_FOUND', 'there is nothing at this path')
    }
    const written = await write(files, path, { ...upload, override: true }, judge)
    await after(files)
    return written
  }

  async function write(
    files: FileAccess,
    path: VirtualPath,
    upload: FileUpload,
    judge: (current: Written | undefined) => void,
  ): Promise<Written> {
    const { fileMode, dirMode } = settings()
    const { override: replace, length, signal, modified, isExpected } = upload
    const accept = (current: Written | undefined) => {
      if (isExpected?.(current) === false)
        fail('PRECONDITION_FAILED', 'the file was changed meanwhile: open it again before you save')
      judge(current)
    }
    const mode = { replace, fileMode, folderMode: dirMode, length, signal, modified, accept }
    const touched = await changes.touching(files.user, path)
    const written = await files.scope.write(path, upload.body, mode)
    await touched()
    await changes.notify({ kind: 'written', user: files.user, path })
    return written
  }

  return { describe, walk, count, measure, create, save }
}

export type Files = ReturnType<typeof createFiles>

function checksumOf(name: string): Checksum {
  const algorithm = CHECKSUMS.find((known): known is Checksum => known === name)
  return algorithm ?? fail('INVALID_INPUT', `unknown checksum, take one of ${CHECKSUMS.join(', ')}`, { terse: true })
}

/** The path as asked for: a slash at its end is shown again. */
function shownPath(text: string): string {
  return text.startsWith('/') ? text : `/${text}`
}

/** Transfers what the stack holds to the reply, which outlives this call. */
function keep<T extends object>(held: AsyncDisposableStack, answer: T): T & AsyncDisposable {
  const moved = held.move()
  return {
    ...answer,
    [Symbol.asyncDispose]: async () => {
      await moved.disposeAsync()
    },
  }
}

export interface UsageDeps {
  readonly access: Pick<AccessService, 'for'>
}

export function createUsage({ access }: UsageDeps) {
  return {
    /** Bytes of the disk under a folder; zeros for a file. */
    async of(actor: Actor, text: string): Promise<Usage> {
      const path = parseVirtualPath(text)
      await using files = await access.for(actor)
      files.require('usage.get')
      files.requireAllowed(path)
      return await files.scope.usage(path)
    },
  }
}

export type UsageService = ReturnType<typeof createUsage>
