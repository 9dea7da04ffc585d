import { isFilemgrError } from '../../domain/errors.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { modifiedOf, type UploadRecord } from '../../domain/uploads/upload.ts'
import { childOf, parentOf, parseVirtualPath } from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Written } from '../../storage/storage.ts'
import type { Lease } from '../../store/store.ts'
import type { FileAccess } from '../access/access.ts'
import type { FileChanges } from '../files/file-changes.ts'
import { requireMayReplace } from '../files/file-checks.ts'
import type { HookRunner } from '../automation/hooks/hook-runner.ts'
import { FolderRoom } from '../access/quotas/folder-room.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import type { Arrivals } from '../shares/arrivals.ts'
import { expectedBy, underFreeName } from './link-uploads.ts'
import type { OpenUploads } from './open-uploads.ts'
import { ReplacedRoom } from './replaced-room.ts'

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
        if (current !== undefined) requireMayReplace(files, replace)
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
    if (finished.replaced) await quotas.freed(record.scope, path)
    await touched()
    await changes.notify({ kind: 'written', user: files.user, path })
    await after(files)
    return finished
  }

  return async (files, record, lease) => {
    if (record.link === undefined) return await putInPlace(files, record, lease)
    const { name, from } = expectedBy(arrivals, record)
    const preferred = childOf(parentOf(parseVirtualPath(record.path)), name)
    return await underFreeName(
      files,
      preferred,
      async (path) => await putInPlace(files, { ...record, path }, lease, from),
    )
  }
}
