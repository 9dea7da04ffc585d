import { constants, type BigIntStats } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { fail } from '../../domain/errors.ts'
import type { WriteMode, Written } from '../storage.ts'
import { statsOrNothing } from './entry-stats.ts'
import { requireSpace } from './free-space.ts'
import type { Ground } from './ground.ts'
import { pinMadeFolder } from './make-folder.ts'
import { errorWord } from './os-error.ts'
import { at, type Pin } from './pin.ts'
import { receiveBody } from './receive-body.ts'
import { destinationOf, pinFolder, Place, statsOf } from './resolve.ts'
import { StagedFile } from './staged-file.ts'

/**
 * All or nothing: whoever reads the name sees the old bytes whole or the new ones.
 *
 * @param onChunk told the size of each chunk that comes
 */
export async function writeFile(
  ground: Ground,
  segments: readonly string[],
  source: Readable,
  mode: WriteMode,
  onChunk: (bytes: number) => void,
): Promise<Written> {
  const name = segments.at(-1)
  if (name === undefined) fail('CONFLICT', 'a folder is in the way')
  using folder = await folderToWriteIn(ground, segments.slice(0, -1), mode)
  // Writing to a link changes what it leads to; where a link may not be replaced, nothing may be written at all.
  using place = mode.replace ? destinationOf(ground, folder, name) : new Place(folder.retain(), name)
  const old = await requireWritable(place, mode.replace)
  mode.accept?.(old && writtenOf(old))
  await requireSpace(place.folder, mode.length)

  await using staged = await StagedFile.create(ground, place.folder, mode.fileMode)
  if (old) await staged.takeOver(old)
  await receiveBody(source, staged.fd, { length: mode.length, signal: mode.signal, onChunk })
  if (mode.modified !== undefined) await staged.setModified(mode.modified)
  const written = writtenOf(await statsOf(staged))
  if (mode.accept) {
    const now = await statsOrNothing(at(place.folder, place.name))
    mode.accept(now && writtenOf(now))
  }
  await staged.place(place.name, mode.replace)
  return written
}

/**
 * Holds the folder of a target, and makes it and its parents where they are missing.
 *
 * @throws NO_SPACE before anything is made
 */
export async function folderToWriteIn(ground: Ground, segments: readonly string[], mode: WriteMode): Promise<Pin> {
  try {
    const folder = await pinFolder(ground, segments)
    ground.leftovers?.visit(folder)
    return folder
  } catch (error) {
    if (errorWord(error) !== 'ENOENT') throw error
  }
  // Refused before anything is made.
  await requireSpace(ground.root, mode.length)
  return await pinMadeFolder(ground, segments, mode.folderMode)
}

/** @returns what will be replaced */
export async function requireWritable(place: Place, replace: boolean): Promise<BigIntStats | undefined> {
  const path = at(place.folder, place.name)
  const old = await statsOrNothing(path)
  if (old === undefined) return undefined
  if (!replace) fail('CONFLICT', 'something with this name is already there')
  if (old.isDirectory()) fail('CONFLICT', 'a folder is in the way')
  if (!old.isFile()) fail('FORBIDDEN', 'only regular files can be replaced')
  // The rename asks only for rights on the folder; a file that is read-only stays as it is.
  await access(path, constants.W_OK)
  return old
}

/** What is told of a file that was just written. */
export function writtenOf({ size, mtimeNs, ino }: BigIntStats): Written {
  return { size: Number(size), modified: mtimeNs, inode: ino }
}
