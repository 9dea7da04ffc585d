import { isFilemgrError } from '../../domain/errors.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { modifiedOf, type UploadRecord, amountOf as amountOfUpload } from '../../domain/uploads/upload.ts'
import {
  cleanVirtualPath,
  childOf,
  parentOf,
  parseVirtualPath,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Written } from '../../storage/open-file.ts'
import type { Lease } from '../../store/store.ts'
import type { FileAccess } from '../access/file-access.ts'
import type { FileChanges } from '../access/file-changes.ts'
import { requireMayReplace } from '../access/file-checks.ts'
import type { HookRunner } from '../automation/hooks/hook-runner.ts'
import { FolderRoom } from '../access/quotas/folder-room.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import type { Arrivals } from '../shares/arrivals.ts'
import { expectedBy, underFreeName } from './link-uploads.ts'
import type { OpenUploads } from './open-uploads.ts'
import { added, type Amount, difference } from '../../domain/access/quota.ts'
import { amountOf, replacedAt, requireCovered } from '../access/quotas/replacement.ts'
import type { Reservation } from '../access/quotas/reservation.ts'

export interface PlacingDeps {
  readonly arrivals: Pick<Arrivals, 'arrived' | 'find'>
  /** The current settings. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode'>
  readonly changes: Pick<FileChanges, 'notify' | 'touching'>
  readonly openUploads: Pick<OpenUploads, 'save' | 'rememberFinished'>
  readonly hooks: Pick<HookRunner, 'begin'>
  readonly quotas: Pick<Quotas, 'appliesTo' | 'reserve' | 'freed'>
  readonly clock: Clock
}

export interface Finished extends Written {
  /** There was a file before. */
  readonly replaced: boolean
}

/**
 * Gives the staged file of an upload its name, once all bytes are there; that of a visitor a free one.
 *
 * @param lease of the upload
 * @throws CONFLICT if the name is taken: the upload waits then, and may be finished later; FORBIDDEN, QUOTA_EXCEEDED
 */
export type FinishUpload = (files: FileAccess, record: UploadRecord, lease: Lease) => Promise<Finished>

export function createPlacing(deps: PlacingDeps): FinishUpload {
  const { arrivals, settings, changes, openUploads, hooks, quotas, clock } = deps

  /** @param visitor the name of the visitor, for an upload by a link */
  async function putInPlace(
    files: FileAccess,
    record: UploadRecord,
    lease: Lease,
    visitor?: string,
  ): Promise<Finished> {
    const path = parseVirtualPath(record.path)
    const { unverified: _none, isRefused: _before, ...done } = { ...record, finished: clock.now() }
    const after = await hooks.begin('upload', files, { path, visitor })
    await using room = await ReplacedRoom.reserve(quotas, files, record)
    await using folders = await FolderRoom.reserve(quotas, files, parentOf(path))
    const touched = await changes.touching(files.user, path)
    await lease.renew()
    await files.refresh?.()
    // Before the rename: a daemon that is killed in between must still know that the file is this upload.
    await openUploads.save(done, lease)
    let written: Written
    let replaced = false
    try {
      const { override: replace, length, metadata } = record
      const { fileMode, dirMode: folderMode } = settings()
      const accept = (current: Written | undefined) => {
        replaced = current !== undefined
        files.requireStill()
        if (current !== undefined) requireMayReplace(files, path, replace)
        room.accept(current)
      }
      const mode = { fileMode, folderMode, replace, length, modified: modifiedOf(metadata), accept, ...folders.work }
      written = await files.scope.staging.commit(path, record.staged, mode)
    } catch (error) {
      const isRefused = isFilemgrError(error, 'CONFLICT') ? { isRefused: true as const } : {}
      if (!lease.isLost) await openUploads.save({ ...record, ...isRefused }, lease)
      throw error
    }
    await room.settle()
    await openUploads.rememberFinished(done)
    if (record.link !== undefined) await arrivals.arrived(record.link, record.id, files.scope, path, written)
    const finished: Finished = { ...written, replaced }
    if (finished.replaced) await quotas.freed(cleanVirtualPath(record.scope), path)
    await touched()
    await changes.notify({ kind: 'written', user: files.user, path })
    await after(files)
    return finished
  }

  return async (files, record, lease) => {
    if (record.link === undefined && files.given !== 'upload') return await putInPlace(files, record, lease)
    if (record.link === undefined) {
      const place = async (path: VirtualPath) => await putInPlace(files, { ...record, path }, lease)
      return await underFreeName(files, parseVirtualPath(record.path), place)
    }
    const { name, from } = expectedBy(arrivals, record)
    const preferred = childOf(parentOf(parseVirtualPath(record.path)), name)
    return await underFreeName(
      files,
      preferred,
      async (path) => await putInPlace(files, { ...record, path }, lease, from),
    )
  }
}

/**
 * The file that an upload replaces may have shrunk, or was removed, since the upload began. Then room for the difference is
 * reserved when the upload ends.
 */
class ReplacedRoom implements AsyncDisposable {
  readonly #reservation: Reservation | undefined
  readonly #missing: Amount
  /** What was not reserved, since the replaced file takes it. */
  readonly #covered: Amount

  private constructor(reservation: Reservation | undefined, missing: Amount, covered: Amount) {
    this.#reservation = reservation
    this.#missing = missing
    this.#covered = covered
  }

  /** @throws QUOTA_EXCEEDED, BUSY */
  static async reserve(
    quotas: Pick<Quotas, 'appliesTo' | 'reserve'>,
    files: FileAccess,
    record: UploadRecord,
  ): Promise<ReplacedRoom> {
    const { length, replaces, override: replace } = record
    const whole = { bytes: length, files: 1 }
    const path = parseVirtualPath(record.path)
    const replaced = await replacedAt(quotas, { files, path, replace: replace && replaces !== undefined })
    const covered = { bytes: Math.min(replaced.bytes, replaces ?? 0), files: replaced.files }
    const missing = difference(added(whole, covered), amountOfUpload(record))
    const isMissing = missing.bytes > 0 || missing.files > 0
    const reservation = isMissing ? await quotas.reserve(files.user, path, missing) : undefined
    return new ReplacedRoom(reservation, missing, covered)
  }

  /** Call it right before the effect. @throws CONFLICT if the file has shrunk again */
  accept(current: Written | undefined): void {
    requireCovered(this.#covered, amountOf(current))
  }

  /** Call it when the file is in place. */
  async settle(): Promise<void> {
    await this.#reservation?.settle(this.#missing)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reservation?.[Symbol.asyncDispose]()
  }
}
