import type { Readable } from 'node:stream'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { isTimeHeld } from '../../domain/files/file-time.ts'
import { parseVirtualPath } from '../../domain/files/virtual-path.ts'
import { type DirectPart, modifiedOf, type PartChecksum, type UploadRecord } from '../../domain/uploads/upload.ts'
import { BodyBatches } from '../../platform/network/body-batches.ts'
import type { Lease } from '../../store/store.ts'
import type { FileAccess } from '../access/file-access.ts'
import type { HeldSessions } from '../accounts/sessions/held-sessions.ts'
import type { Arrivals } from '../shares/arrivals.ts'
import { familyOf, type OpenUploads, orTakenOver, remainderOf, withFamily } from './open-uploads.ts'
import type { Finished, FinishUpload } from './place-upload.ts'
import type { StagedUploads } from './staged-uploads.ts'

export interface NewUpload {
  /** Length of the whole file in bytes; undefined if the client gives no valid one. */
  readonly length: number | undefined
  readonly override: boolean
  /** `Upload-Metadata` as the client sent it. */
  readonly metadata?: string | undefined
}

export interface UploadState {
  readonly offset: number
  readonly length: number
  readonly metadata?: string | undefined
  /** When the last byte arrived, in milliseconds since 1970; absent for a finished upload, which does not expire. */
  readonly touched?: number
  /** The public link by which a visitor sends it. */
  readonly link?: string | undefined
}

export interface UploadPart {
  readonly checksum?: PartChecksum | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ResumeOptions {
  /** The offset to resume from; bytes that another request has added after it are dropped. */
  readonly from?: number | undefined
  /** Finishes an upload whose bytes are complete but whose file could not be put in place before. */
  readonly finishes?: boolean
}

/** An upload that is locked for this request until it is disposed of. */
export interface LockedUpload extends AsyncDisposable {
  /** Part of the address of an upload by a link; undefined for an upload that was finished before. */
  readonly id: string | undefined
  readonly state: UploadState
  /** How the finished upload took its place; undefined until then. */
  readonly placed: 'created' | 'overwritten' | undefined
  /** The finished file has the time that its client has sent. */
  readonly isTimeHeld: boolean
  /** The replaced file had other hard links, which keep the old content. */
  readonly linksParted: boolean
  /**
   * Appends a part; the last byte puts the file in place. If a part breaks off, the received bytes stay unless it has a checksum.
   *
   * @returns the new offset
   * @throws CONFLICT for another offset, or if the target exists by now; TOO_LARGE, NO_SPACE, CANCELLED,
   *         CHECKSUM_MISMATCH
   */
  append(offset: number, body: Readable, part?: UploadPart): Promise<number>
  /** The next parts, to be sent to the bucket. @throws NOT_IMPLEMENTED if it cannot take them */
  parts(): Promise<readonly DirectPart[]>
  /** @throws NOT_FOUND for a finished upload */
  discard(): Promise<void>
}

export interface LockedParts {
  readonly actor: Actor | Visitor
  /** The id, if there is no record. */
  readonly id?: string | undefined
  readonly files: FileAccess
  /** Undefined for a finished upload. */
  readonly record?: UploadRecord
  readonly lease: Lease
  readonly state: UploadState
  /** Set if the file was just put in place. */
  readonly written?: Finished
}

export type StartedParts = Omit<LockedParts, 'record'> & { readonly record: UploadRecord }

export interface LockedUploadsDeps {
  readonly arrivals: Pick<Arrivals, 'forget'>
  readonly openUploads: Pick<OpenUploads, 'save'>
  readonly sessions: HeldSessions
  readonly staged: Pick<StagedUploads, 'discard'>
  readonly finish: FinishUpload
}

/** @returns what gives a request an upload, with the resources that it then owns */
export function createLockedUploads({ arrivals, openUploads, sessions, staged, finish }: LockedUploadsDeps) {
  /** Saves the record as it must be while a part arrives. */
  async function beginPart(
    { record, lease, actor }: StartedParts,
    offset: number,
    part: UploadPart,
  ): Promise<UploadRecord> {
    const { unverified, ...plain } = withFamily(record, actor)
    const now: UploadRecord = part.checksum === undefined ? plain : { ...plain, unverified: offset }
    if (plain.families !== record.families || now.unverified !== unverified) await openUploads.save(now, lease)
    return now
  }

  function lockedUpload(resources: AsyncDisposableStack, parts: LockedParts): LockedUpload {
    const { actor, files, record, lease, state } = parts
    const owned = resources.move()
    let { written } = parts
    return {
      id: record?.id ?? parts.id,
      state,
      get isTimeHeld() {
        const wanted = modifiedOf(state.metadata)
        return written !== undefined && wanted !== undefined && isTimeHeld(wanted, written.modified)
      },
      get linksParted() {
        return written?.linksParted === true
      },
      get placed() {
        return written && (written.replaced ? 'overwritten' : 'created')
      },

      async append(offset, body, part = {}) {
        const { length } = state
        if (offset !== state.offset) fail('CONFLICT', 'the upload does not continue at this offset')
        const signal = part.signal === undefined ? lease.signal : AbortSignal.any([part.signal, lease.signal])
        if (record === undefined) {
          await orTakenOver(lease, requireNoMore(body, signal))
          return length
        }
        await sessions.extend(familyOf(actor))
        using _held = sessions.keepExtending(familyOf(actor))
        const current = await beginPart({ ...parts, record }, offset, part)
        const remainder = () => remainderOf(lease, offset)
        const mode = { offset, length, signal, remainder, checksum: part.checksum }
        const path = parseVirtualPath(record.path)
        const reached = await orTakenOver(lease, files.scope.staging.append(path, record.staged, body, mode))
        const { unverified, ...verified } = current
        if (reached === length) written = await finish(files, verified, lease)
        else if (unverified !== undefined) await openUploads.save(verified, lease)
        return reached
      },

      async parts() {
        // Once all bytes are there, `resume` has put the file in place.
        if (record === undefined) return []
        const path = parseVirtualPath(record.path)
        const parts = await files.scope.staging.direct?.(path, record.staged, state.length)
        files.requireStill()
        return parts ?? fail('NOT_IMPLEMENTED', 'the bucket cannot take the next bytes: send them to this server')
      },

      async discard() {
        if (record === undefined) fail('NOT_FOUND', 'the upload is finished')
        await staged.discard(files, record)
        if (record.link !== undefined) await arrivals.forget(record.link, record.id)
      },

      [Symbol.asyncDispose]: async () => await owned.disposeAsync(),
    }
  }

  return lockedUpload
}

/**
 * Reads the body of a part for a finished upload. A reply that is sent before may be lost: HttpURLConnection of Java drops what
 * arrives together with "100 Continue".
 *
 * @throws TOO_LARGE if there are bytes, CANCELLED
 */
async function requireNoMore(body: Readable, signal: AbortSignal): Promise<void> {
  using batches = new BodyBatches(body, { length: 0, signal })
  await batches.next()
}
