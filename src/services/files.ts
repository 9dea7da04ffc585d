import type { Readable } from 'node:stream'
import type { Actor } from '../domain/actor.ts'
import { fail } from '../domain/errors.ts'
import { CHECKSUMS, type Checksum, type FlatResource, type Resource } from '../domain/resource.ts'
import { mayDo } from '../domain/rights.ts'
import type { Settings } from '../domain/settings.ts'
import { namesFolder, parseVirtualPath, requireNewName, type VirtualPath } from '../domain/virtual-path.ts'
import type { OpenFile, Written } from '../storage/storage.ts'
import type { AccessService, FileAccess } from './access.ts'
import { textOf } from './file-text.ts'

export interface FilesDeps {
  readonly access: Pick<AccessService, 'for'>
  /** The settings of this moment. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode'>
}

export interface FileQuestion {
  /** Name of a checksum to work out; "" and undefined ask for none. */
  readonly checksum?: string | undefined
  /** The bytes of a text instead of a description. */
  readonly asBytes?: boolean
}

/** What there is at a path. Dispose of it when it has been sent. */
export type FileAnswer = AsyncDisposable &
  (
    | { readonly kind: 'folder'; readonly parts: AsyncIterable<Uint8Array> }
    | { readonly kind: 'bytes'; readonly file: OpenFile }
    | { readonly kind: 'file'; readonly resource: Resource; readonly source?: OpenFile }
  )

export interface FileUpload {
  readonly body: Readable
  /** Of the body in bytes, when the client says it. */
  readonly length?: number | undefined
  readonly override: boolean
  readonly signal?: AbortSignal
}

/** Reading and writing single resources. Paths are the text of the request, percent-decoded once. */
export function createFiles({ access, settings }: FilesDeps) {
  /** @throws FORBIDDEN, NOT_FOUND; NOT_PERMITTED_HERE for a checksum or bytes without the permission to download */
  async function describe(actor: Actor, text: string, asked: FileQuestion, signal?: AbortSignal): Promise<FileAnswer> {
    await using held = new AsyncDisposableStack()
    const path = parseVirtualPath(text)
    const files = held.use(await access.for(actor))
    files.requireAllowed(path)
    const view = files.view(shownPath(text))
    const resource = await files.scope.stat(path, view)
    if (resource.isDir) {
      const parts = await files.scope.listing(path, view, signal)
      return keep(held, { kind: 'folder', parts })
    }
    if (asked.asBytes === true) {
      files.require('files.content')
      if (resource.type === 'text') return keep(held, { kind: 'bytes', file: held.use(await files.scope.open(path)) })
    }
    if (asked.checksum !== undefined && asked.checksum !== '') {
      return keep(held, { kind: 'file', resource: await withChecksum(files, path, resource, asked.checksum, signal) })
    }
    const isText = resource.type === 'text' || resource.type === 'textImmutable'
    if (!isText || !mayDo(files.permissions, 'files.content')) return keep(held, { kind: 'file', resource })
    const source = held.use(await files.scope.open(path))
    const content = await textOf(source)
    return keep(held, { kind: 'file', resource: content === '' ? resource : { ...resource, content }, source })
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

  /**
   * A file with this content, or a folder when the path ends in a slash. All is checked before the disk is touched; an
   * upload that breaks off leaves what was there.
   *
   * @throws FORBIDDEN, CONFLICT (exists and is not to be replaced, or is of the other kind), NO_SPACE
   */
  async function create(actor: Actor, text: string, upload: FileUpload): Promise<Written | undefined> {
    const path = parseVirtualPath(text)
    await using files = await access.for(actor)
    files.require('files.create')
    files.requireAllowed(path)
    requireNewName(path)
    const { fileMode, dirMode } = settings()
    if (namesFolder(text)) {
      await files.scope.makeFolder(path, dirMode)
      return undefined
    }
    await requireFree(files, path, upload.override)
    const { override: replace, length, signal } = upload
    return await files.scope.write(path, upload.body, { replace, fileMode, folderMode: dirMode, length, signal })
  }

  return { describe, walk, create }
}

export type Files = ReturnType<typeof createFiles>

async function requireFree(files: FileAccess, path: VirtualPath, override: boolean): Promise<void> {
  if (!(await files.scope.exists(path))) return
  if (!override) fail('CONFLICT', 'there is something of this name already')
  files.require('files.overwrite')
}

async function withChecksum(
  files: FileAccess,
  path: VirtualPath,
  resource: Resource,
  name: string,
  signal?: AbortSignal,
): Promise<Resource> {
  files.require('files.checksum')
  const algorithm = CHECKSUMS.find((known): known is Checksum => known === name)
  if (algorithm === undefined)
    fail('INVALID_INPUT', `unknown checksum, take one of ${CHECKSUMS.join(', ')}`, { terse: true })
  return { ...resource, checksums: { [algorithm]: await files.scope.checksum(path, algorithm, signal) } }
}

/** The path as asked for: a slash at its end is shown again. */
function shownPath(text: string): string {
  return text.startsWith('/') ? text : `/${text}`
}

/** Hands what the stack holds over to the answer, which lives longer than this call. */
function keep<T extends object>(held: AsyncDisposableStack, answer: T): T & AsyncDisposable {
  const moved = held.move()
  return {
    ...answer,
    [Symbol.asyncDispose]: async () => {
      await moved.disposeAsync()
    },
  }
}
