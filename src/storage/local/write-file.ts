import type { Readable } from 'node:stream'
import { fail } from '../../domain/errors.ts'
import type { WriteMode, Written } from '../storage.ts'
import type { Disk } from './disk.ts'
import { statsOrNothing } from './entry-stats.ts'
import { requireSpace } from './free-space.ts'
import type { Ground } from './ground.ts'
import { pinMadeFolder } from './make-folder.ts'
import { errorWord } from './os-error.ts'
import { at, type Pin } from './pin.ts'
import { receiveBody } from './receive-body.ts'
import { pinFolder, targetPlace } from './resolve.ts'
import { putInPlace, requireReplaceable } from './put-in-place.ts'
import { StagedFile } from './staged-file.ts'

/** How bytes come to the disk. */
export interface Writing {
  readonly disk: Disk
  /** Told the size of each chunk that comes. */
  readonly collectYoung: (bytes: number) => void
}

/**
 * All or nothing: whoever reads the name sees the old bytes whole or the new ones.
 */
export async function writeFile(
  ground: Ground,
  segments: readonly string[],
  source: Readable,
  mode: WriteMode,
  { disk, collectYoung }: Writing,
): Promise<Written> {
  const name = segments.at(-1)
  if (name === undefined) fail('CONFLICT', 'a folder is in the way')
  using folder = await folderToWriteIn(ground, segments.slice(0, -1), mode)
  using place = await targetPlace(ground, folder, name, mode.replace)
  const old = await statsOrNothing(at(place.folder, place.name))
  await requireReplaceable(place, old, mode)
  await requireSpace(place.folder, mode.length ?? 0)

  await using staged = await StagedFile.create(ground, place.folder, mode.fileMode)
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
export async function folderToWriteIn(ground: Ground, segments: readonly string[], mode: WriteMode): Promise<Pin> {
  try {
    return await pinFolder(ground, segments)
  } catch (error) {
    if (errorWord(error) !== 'ENOENT') throw error
  }
  // Refused before anything is made.
  await requireSpace(ground.root, mode.length)
  return await pinMadeFolder(ground, segments, mode.folderMode)
}
