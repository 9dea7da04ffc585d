import type { Readable } from 'node:stream'
import { fail } from '../../domain/errors.ts'
import type { WriteMode, Written } from '../storage.ts'
import type { Disk } from './disk.ts'
import { statsOrNothing } from './entry-stats.ts'
import { requireSpace } from './free-space.ts'
import type { ScopeRoot } from './scope-root.ts'
import { ensureFolder } from './make-folder.ts'
import { errnoCode } from './os-error.ts'
import { at, type Handle } from './handle.ts'
import { receiveBody } from './receive-body.ts'
import { holdFolder, targetLocation } from './resolve.ts'
import { putInPlace, requireReplaceable } from './put-in-place.ts'
import { StagedFile } from './staged-file.ts'

/** How bytes come to the disk. */
export interface Writing {
  readonly disk: Disk
  /** Told the size of each chunk that comes. */
  readonly collectYoung: (bytes: number) => void
}

/**
 * All or nothing: readers of the name see the old bytes whole or the new ones.
 */
export async function writeFile(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  source: Readable,
  mode: WriteMode,
  { disk, collectYoung }: Writing,
): Promise<Written> {
  const name = segments.at(-1)
  if (name === undefined) fail('CONFLICT', 'a folder is in the way')
  using folder = await folderToWriteIn(scopeRoot, segments.slice(0, -1), mode)
  using place = await targetLocation(scopeRoot, folder, name, mode.replace)
  const old = await statsOrNothing(at(place.folder, place.name))
  await requireReplaceable(place, old, mode)
  await requireSpace(place.folder, mode.length ?? 0)

  await using staged = await StagedFile.create(scopeRoot, place.folder, mode.fileMode)
  const { length, signal } = mode
  const requireRoom = async () => await requireSpace(place.folder, 0)
  await receiveBody(source, staged.fd, { length, signal, onChunk: collectYoung, requireRoom, disk })
  const written = await putInPlace(staged, place, old, mode, disk)
  staged.placed()
  return written
}

/**
 * Holds the folder of a target, and makes it and its parents where they are missing.
 *
 * @throws NO_SPACE before anything is made
 */
export async function folderToWriteIn(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  mode: WriteMode,
): Promise<Handle> {
  try {
    return await holdFolder(scopeRoot, segments)
  } catch (error) {
    if (errnoCode(error) !== 'ENOENT') throw error
  }
  // Refused before anything is made.
  await requireSpace(scopeRoot.folder, mode.length)
  return await ensureFolder(scopeRoot, segments, mode.folderMode)
}
