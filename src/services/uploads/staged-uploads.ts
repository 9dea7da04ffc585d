import { fail, isFilemgrError } from '../../domain/errors.ts'
import { cleanVirtualPath, parentOf, parseVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { type StagedState, amountOf, type UploadRecord } from '../../domain/uploads/upload.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Lease } from '../../store/store.ts'
import type { FileAccess } from '../access/file-access.ts'
import { FolderRoom } from '../access/quotas/folder-room.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import { createReserving, type ReservingDeps } from './reserve-upload.ts'
import type { OpenUploads } from './open-uploads.ts'
import { REMEMBERED } from './upload-lifetime.ts'

export interface StagedUploadsDeps extends ReservingDeps {
  /** The current settings. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode'>
  readonly openUploads: Pick<OpenUploads, 'ofVisitors' | 'requireRoom' | 'save' | 'drop'>
  readonly quotas: Pick<Quotas, 'appliesTo' | 'reserve' | 'tryReserveShare' | 'count' | 'freed'>
  readonly clock: Clock
}

/** The files in which the bytes of uploads gather, each with its record. */
export function createStagedUploads(deps: StagedUploadsDeps) {
  const { settings, openUploads, quotas, clock } = deps
  const reserve = createReserving(deps)

  /** Saves the record and creates the staged file. The whole length counts towards the quota from now on. */
  async function stage(files: FileAccess, record: UploadRecord, lease: Lease): Promise<void> {
    const { staged, override, length } = record
    // Its name is chosen when it is complete.
    const replace = override || files.given === 'upload'
    const path = parseVirtualPath(record.path)
    await using folders = await FolderRoom.reserve(quotas, files, parentOf(path))
    await using reservation = await reserve(files.user, record, lease)
    try {
      const { fileMode, dirMode: folderMode } = settings()
      const mode = { fileMode, folderMode, replace, length, ...folders.work }
      await files.scope.staging.create(path, staged, mode)
    } catch (error) {
      await openUploads.drop(record)
      throw error
    }
    await reservation.settle(amountOf(record))
  }

  async function discard(files: FileAccess, record: UploadRecord): Promise<void> {
    const path = parseVirtualPath(record.path)
    await files.scope.staging.discard(path, record.staged)
    await openUploads.drop(record)
    await quotas.freed(cleanVirtualPath(record.scope), path)
  }

  /** The state of the verified staged bytes. Undefined if there is no staged file, because it was committed or removed. */
  async function stateOf(files: FileAccess, path: VirtualPath, record: UploadRecord): Promise<StagedState | undefined> {
    const { staging } = files.scope
    const { staged, unverified = Infinity } = record
    try {
      const state = await staging.state(path, staged)
      if (state.size <= unverified) return state
      // The daemon was killed before it verified the checksum of these bytes.
      await staging.cut(path, staged, unverified)
      return { ...state, size: unverified }
    } catch (error) {
      if (isFilemgrError(error, 'NOT_FOUND')) return undefined
      throw error
    }
  }

  /** @throws NOT_FOUND unless it finished recently: its folder was removed, or the command line removed it */
  async function requireRemembered(files: FileAccess, path: VirtualPath, record: UploadRecord): Promise<void> {
    const { finished = -Infinity } = record
    if (clock.now() - finished < REMEMBERED && (await files.scope.exists(path))) return
    // Its folder may have been renamed with the staged file in it, also if a daemon was killed right after it had noted the end:
    // nobody would look for that without the record.
    await discard(files, record)
    fail('NOT_FOUND', 'there is no such upload')
  }

  return { stage, discard, stateOf, requireRemembered }
}

export type StagedUploads = ReturnType<typeof createStagedUploads>
