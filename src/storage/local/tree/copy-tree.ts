import { constants, type BigIntStats } from 'node:fs'
import { access } from 'node:fs/promises'
import { fail } from '../../../domain/errors.ts'
import type { TransferMode, Work } from '../../storage.ts'
import { statsOrNothing } from '../entry-stats.ts'
import { requireSpace } from '../free-space.ts'
import type { Ground } from '../ground.ts'
import { at, type Pin } from '../pin.ts'
import { destinationOf, holdEntry, Place } from '../resolve.ts'
import { visibleChildrenOf } from './children.ts'
import { copyEntry, holdOriginal, type Copying, type Original } from './copy-entry.ts'
import { requireGoOn } from './go-on.ts'
import type { Location } from './location.ts'
import { requireMergeable, requireSameKind } from './same-kind.ts'
import { StagedEntry } from './staged-entry.ts'
import { pinTargetFolder, requireOutside } from './target-folder.ts'

/**
 * Copies what a path leads to. The copy appears by one rename when it is whole; only where folders are merged, each file
 * does so by itself.
 */
export async function copyTree(
  ground: Ground,
  from: readonly string[],
  to: readonly string[],
  mode: TransferMode,
  work: Work,
): Promise<void> {
  using held = await holdEntry(ground, from)
  const { target: pin, targetStats: stats } = held
  const isFolder = stats.isDirectory()
  if (!isFolder && !stats.isFile()) fail('FORBIDDEN', 'only files and folders can be copied')
  const name = to.at(-1)
  if (name === undefined) fail('FORBIDDEN', 'the root folder cannot be replaced')
  const folderMode = isFolder ? Number(stats.mode) & 0o777 : mode.folderMode
  using folder = await pinTargetFolder(ground, to.slice(0, -1), folderMode, isFolder ? pin : undefined)
  // To write to a link is to change what it leads to.
  using place = mode.replace ? destinationOf(ground, folder, name) : new Place(folder.retain(), name)
  if (isFolder) requireOutside(pin, place.folder)
  await requireSpace(place.folder, mode.length)

  const copying: Copying = { ground, work, durable: !isFolder, keepsTimes: false }
  const original: Original = { pin, stats, location: place }
  const old = await statsOrNothing(at(place.folder, place.name))
  if (old !== undefined) {
    if (!mode.replace) fail('CONFLICT', 'something with this name is already there')
    requireSameKind(stats, old)
  }
  if (old === undefined || !isFolder) {
    await copyIntoPlace(copying, original, place, old)
    return
  }
  using met = await holdOriginal(place)
  requireOutside(pin, met.pin)
  await requireMergeable(pin, met.pin)
  await copyInto(copying, pin, met.pin)
}

/** @param old what will be replaced @returns false when it was left out */
export async function copyIntoPlace(
  copying: Copying,
  original: Original,
  target: Location,
  old: BigIntStats | undefined,
): Promise<boolean> {
  // The rename asks only for rights on the folder; a file that is read-only stays as it is.
  if (old?.isFile() === true) await access(at(target.folder, target.name), constants.W_OK)
  await using staged = new StagedEntry(copying.ground, target.folder)
  if (!(await copyEntry(copying, original, staged))) return false
  await staged.place(target, { isFolder: original.stats.isDirectory(), replace: old !== undefined })
  return true
}

async function copyInto(copying: Copying, source: Pin, target: Pin): Promise<void> {
  for (const name of await visibleChildrenOf(source)) {
    requireGoOn(copying.work)
    using child = await holdOriginal({ folder: source, name })
    const old = await statsOrNothing(at(target, name))
    if (old !== undefined) requireSameKind(child.stats, old)
    if (old === undefined || !child.stats.isDirectory()) {
      await copyIntoPlace(copying, child, { folder: target, name }, old)
      continue
    }
    using met = await holdOriginal({ folder: target, name })
    await copyInto(copying, child.pin, met.pin)
  }
}
