import type { Readable } from 'node:stream'
import type { Actor } from '../domain/actor.ts'
import { FilemgrError, fail, isFilemgrError } from '../domain/errors.ts'
import type { Settings } from '../domain/settings.ts'
import type { UploadRecord } from '../domain/upload.ts'
import { cleanVirtualPath, namesFolder, parseVirtualPath, requireNewName } from '../domain/virtual-path.ts'
import type { Clock } from '../platform/clock.ts'
import type { Random } from '../platform/random.ts'
import type { WriteMode } from '../storage/storage.ts'
import type { AccessService, FileAccess } from './access.ts'
import type { FileChanges } from './file-changes.ts'
import { keyOf, type OpenUploads, type UploadKey } from './uploads/open-uploads.ts'
import type { UploadTurn, UploadTurns } from './uploads/upload-turns.ts'

export interface UploadsDeps {
  readonly access: Pick<AccessService, 'for'>
  /** The settings of this moment. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode'>
  readonly changes: Pick<FileChanges, 'tell'>
  readonly open: OpenUploads
  readonly turns: UploadTurns
  readonly clock: Clock
  readonly random: Random
}

export interface NewUpload {
  /** Of the whole file in bytes; undefined when the client says none that can be used. */
  readonly length: number | undefined
  readonly override: boolean
  /** `Upload-Metadata` as the client said it. */
  readonly metadata?: string | undefined
}

export interface UploadState {
  readonly offset: number
  readonly length: number
  readonly metadata?: string | undefined
  /** When the last byte came, in milliseconds since 1970; absent where none is waited for since long. */
  readonly touched?: number
}

/** An upload on which nobody else works until it is disposed of. */
export interface HeldUpload extends AsyncDisposable {
  readonly state: UploadState
  /**
   * Appends; with the last byte the file takes its place. What came of a part that breaks off stays.
   *
   * @returns the new offset
   * @throws CONFLICT at another offset or when the target is there meanwhile; TOO_LARGE, NO_SPACE, CANCELLED
   */
  append(offset: number, body: Readable, signal?: AbortSignal): Promise<number>
  /** @throws NOT_FOUND for one that is finished */
  discard(): Promise<void>
}

/** A request for an upload on which another one works, at the offset where that one began. */
class SameOffset {
  readonly offset: number

  constructor(offset: number) {
    this.offset = offset
  }
}

/** Uploads that may be broken off and gone on with. Paths are the text of the request, percent-decoded once. */
export function createUploads({ access, settings, changes, open, turns, clock, random }: UploadsDeps) {
  /**
   * A new upload. An unfinished one of the same user for this path gives way to it. All is checked before the disk is touched.
   *
   * @throws FORBIDDEN, INVALID_INPUT (no length, a folder), CONFLICT (exists), RATE_LIMITED, NO_SPACE
   */
  async function begin(actor: Actor, text: string, wanted: NewUpload): Promise<HeldUpload> {
    await using held = new AsyncDisposableStack()
    const { files, path, key } = await reach(actor, text, held)
    const { length, override, metadata } = wanted
    if (length === undefined) fail('INVALID_INPUT', 'invalid upload length')
    requireNewName(path)
    if (namesFolder(text)) fail('INVALID_INPUT', 'a folder cannot be uploaded')
    await requireFree(files, key, override)
    await open.requireRoom(key)
    const turn = held.use(await turns.take(keyOf(key), new FilemgrError('CONFLICT', 'the upload was begun anew')))
    const old = await open.find(key)
    const staged = await files.scope.staging.create(path, { ...modes(), replace: override, length })
    const kept = metadata === undefined ? {} : { metadata }
    const record = { id: random.token(12), ...key, length, override, staged, created: clock.now(), ...kept }
    await open.add(record)
    if (old !== undefined) {
      await files.scope.staging.discard(path, old.staged)
      await open.drop(old)
    }
    const state = { offset: 0, length, metadata }
    if (length > 0) return hold(held, { files, record, turn, state })
    await finish(files, record)
    return hold(held, { files, turn, state })
  }

  /**
   * An upload that was begun. Whoever works on it is stopped.
   *
   * @param from where the caller wants to go on: what another request has brought from there since does not count
   * @throws FORBIDDEN, NOT_FOUND
   */
  async function resume(actor: Actor, text: string, from?: number): Promise<HeldUpload> {
    await using held = new AsyncDisposableStack()
    const { files, path, key } = await reach(actor, text, held)
    const turn = held.use(await turns.take(keyOf(key), from === undefined ? undefined : new SameOffset(from)))
    const record = await open.find(key)
    if (record === undefined) {
      const length = open.finishedLength(key)
      if (length === undefined || !(await files.scope.exists(path))) fail('NOT_FOUND', 'there is no such upload')
      return hold(held, { files, turn, state: { offset: length, length } })
    }
    try {
      const { size, touched } = await files.scope.staging.state(path, record.staged)
      const state = { offset: size, length: record.length, metadata: record.metadata, touched }
      return hold(held, { files, record, turn, state })
    } catch (error) {
      // Its folder was removed, or the command line has removed it.
      if (isFilemgrError(error, 'NOT_FOUND')) await open.drop(record)
      throw error
    }
  }

  async function reach(actor: Actor, text: string, held: AsyncDisposableStack) {
    const path = parseVirtualPath(text)
    const files = held.use(await access.for(actor))
    files.require('uploads.begin')
    files.requireAllowed(path)
    const { id: userId, scope } = files.user
    return { files, path, key: { userId, scope: cleanVirtualPath(scope), path } }
  }

  async function requireFree(files: FileAccess, { path }: UploadKey, override: boolean): Promise<void> {
    const target = parseVirtualPath(path)
    if (!(await files.scope.exists(target))) return
    const { isDir } = await files.scope.stat(target, { ...files.view('/'), sniff: false })
    if (isDir) fail('INVALID_INPUT', 'cannot upload to a folder')
    if (!override) fail('CONFLICT', 'there is something of this name already')
    files.require('files.overwrite')
  }

  const modes = (): Pick<WriteMode, 'fileMode' | 'folderMode'> => {
    const { fileMode, dirMode } = settings()
    return { fileMode, folderMode: dirMode }
  }

  async function finish(files: FileAccess, record: UploadRecord): Promise<void> {
    const path = parseVirtualPath(record.path)
    const mode = { ...modes(), replace: record.override, length: record.length }
    await files.scope.staging.commit(path, record.staged, mode)
    open.rememberFinished(record, record.length)
    await open.drop(record)
    await changes.tell({ kind: 'written', user: files.user, path })
  }

  function hold(held: AsyncDisposableStack, { files, record, turn, state }: Parts): HeldUpload {
    const all = held.move()
    return {
      state,

      async append(offset, body, signal) {
        const { length } = state
        if (offset !== state.offset) fail('CONFLICT', 'the upload does not go on at this offset')
        if (record === undefined) return length
        const stop = signal === undefined ? turn.signal : AbortSignal.any([signal, turn.signal])
        const forget = () => turn.signal.reason instanceof SameOffset && turn.signal.reason.offset === offset
        const part = { offset, length, signal: stop, forget }
        const reached = await files.scope.staging.append(parseVirtualPath(record.path), record.staged, body, part)
        if (reached === length) await finish(files, record)
        return reached
      },

      async discard() {
        if (record === undefined) fail('NOT_FOUND', 'the upload is finished')
        await files.scope.staging.discard(parseVirtualPath(record.path), record.staged)
        await open.drop(record)
      },

      [Symbol.asyncDispose]: async () => await all.disposeAsync(),
    }
  }

  return { begin, resume }
}

export type Uploads = ReturnType<typeof createUploads>

interface Parts {
  readonly files: FileAccess
  /** Undefined for one that is finished. */
  readonly record?: UploadRecord
  readonly turn: UploadTurn
  readonly state: UploadState
}
