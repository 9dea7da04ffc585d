import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { Beginning, Effect } from '../scope/effects.ts'
import { isSameFile, statsOrNothing } from '../system/disk.ts'
import { close, link, rename, rmdir, unlink } from '../system/gated-calls.ts'
import { at, type Location } from '../system/handle.ts'
import { createPrivateFile, createPrivateFolder } from '../system/new-entry.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/**
 * Puts a file of this operation in place if `decide` permits it. Reads, checks and replaces the present file under one lock: of
 * two writers that expect the same old file, only one replaces it.
 *
 * @param from a hidden name that nobody else uses
 * @param decide throws to refuse
 * @param accept the same, without anything to wait for between it and the change
 */
export async function placeIfAccepted(
  effects: Beginning,
  from: Location,
  to: Location,
  decide: (present: BigIntStats | undefined) => Promise<void>,
  accept: (present: BigIntStats | undefined) => void,
): Promise<void> {
  using effect = await effects.begin(to)
  const present = await statsOrNothing(at(to.folder, to.name))
  await decide(present)
  await effect.confirm()
  accept(present)
  if (present !== undefined) await renameOver(from, to)
  // If the name was free, a file that another program has created since is not replaced.
  else if (await linkFile(from, to)) await unlink(at(from.folder, from.name))
}

/** Replaces a file or link; rename() itself refuses to replace a folder. @param accept throws to refuse; as for the others here */
export async function placeOver(
  effects: Beginning,
  from: Location,
  to: Location,
  accept?: (present: BigIntStats | undefined) => void,
): Promise<void> {
  using effect = await effects.begin(from, to)
  const present = accept && (await statsOrNothing(at(to.folder, to.name)))
  await effect.confirm()
  accept?.(present)
  await renameOver(from, to)
}

/** Puts a file or a link under a free name. */
export async function placeFile(effects: Beginning, from: Location, to: Location, accept?: () => void): Promise<void> {
  using effect = await effects.begin(from, to)
  await effect.confirm()
  accept?.()
  if (await linkFile(from, to)) await removeOldName(from, to)
}

/**
 * As `placeOver`, and gives what is replaced another name first. If it is gone by now, as `placeFile`. On a disk without hard
 * links, nothing has the name for a moment.
 */
export async function placeOverKept(
  effects: Beginning,
  from: Location,
  to: Location,
  kept: Location,
  accept?: () => void,
): Promise<void> {
  using effect = await effects.begin(from, to)
  const present = await statsOrNothing(at(to.folder, to.name))
  if (present?.isDirectory() === true) fail('CONFLICT', 'a folder is in the way')
  const isLinked = present !== undefined && (await linkIfPossible(to, kept))
  await effect.confirm()
  accept?.()
  if (present === undefined) {
    if (await linkFile(from, to)) await removeOldName(from, to)
    return
  }
  if (!isLinked) await renameOver(to, kept)
  await renameOver(from, to)
}

async function linkIfPossible(from: Location, to: Location): Promise<boolean> {
  try {
    await link(at(from.folder, from.name), at(to.folder, to.name))
    return true
  } catch (error) {
    if (isWithoutLinks(error)) return false
    throw error
  }
}

/** Reserves the name with mkdir(), which fails if it exists, because rename() silently replaces an empty folder. */
export async function placeFolder(
  effects: Beginning,
  from: Location,
  to: Location,
  accept?: () => void,
): Promise<void> {
  using effect = await effects.begin(from, to)
  await effect.confirm()
  const target = at(to.folder, to.name)
  await createPrivateFolder(to)
  await orUndo(
    async () => {
      accept?.()
      effects.countMoved()
      await renameOver(from, to)
    },
    async () => await rmdir(target),
  )
}

/** Removes a file or a link unless `stays` returns true. Decides under the lock, so that a save in between is not lost. */
export async function removeUnless(
  effects: Beginning,
  location: Location,
  stays: (present: BigIntStats) => boolean,
): Promise<boolean> {
  using effect = await effects.begin(location)
  return await removeWith(effect, location, stays)
}

/**
 * Removes one of two entries that stand for the same content unless `stays` returns true. Both names are locked: if each of two
 * operations removed the entry that the other keeps, the content would be lost.
 */
export async function removeBeside(
  effects: Beginning,
  location: Location,
  kept: Location,
  stays: (present: BigIntStats, other: BigIntStats | undefined) => boolean,
): Promise<boolean> {
  using effect = await effects.begin(location, kept)
  const other = await statsOrNothing(at(kept.folder, kept.name))
  return await removeWith(effect, location, (present) => stays(present, other))
}

/** Removes one of two names of a file, as a rename over another name of the same file does. @throws CONFLICT */
export async function removeOtherName(
  effects: Beginning,
  from: Location,
  kept: Location,
  accept?: () => void,
): Promise<void> {
  await removeBeside(effects, from, kept, (present, other) => {
    if (other === undefined || !isSameFile(present, other))
      fail('CONFLICT', 'the file was changed meanwhile: try again')
    accept?.()
    return false
  })
}

async function removeWith(
  effect: Effect,
  { folder, name }: Location,
  stays: (present: BigIntStats) => boolean,
): Promise<boolean> {
  await effect.confirm()
  const present = await statsOrNothing(at(folder, name))
  if (present !== undefined && stays(present)) return false
  await unlink(at(folder, name))
  return true
}

async function renameOver(from: Location, to: Location): Promise<void> {
  await rename(at(from.folder, from.name), at(to.folder, to.name))
}

/**
 * Node has no rename that refuses to replace (RENAME_NOREPLACE), but link() does refuse.
 *
 * @returns whether the old name is still there
 */
async function linkFile(from: Location, to: Location): Promise<boolean> {
  const target = at(to.folder, to.name)
  try {
    await link(at(from.folder, from.name), target)
    return true
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    await close(await createPrivateFile(to))
    await orUndo(
      async () => await renameOver(from, to),
      async () => await unlink(target),
    )
    return false
  }
}

/**
 * Completes a rename that has linked the new name. If the old name cannot be removed, or another program has moved or replaced it
 * meanwhile, takes the new name back: otherwise a refused rename would leave the file under two names. Never takes its last name:
 * if this daemon was frozen, another one may have removed the old name, to end the same rename.
 */
async function removeOldName(from: Location, to: Location): Promise<void> {
  const target = at(to.folder, to.name)
  const linked = await statsOrNothing(target)
  const namesLeft = async (): Promise<bigint> => {
    const now = await statsOrNothing(target)
    return now !== undefined && linked !== undefined && isSameFile(now, linked) ? now.nlink : 0n
  }
  await orUndo(
    async () => {
      const present = await statsOrNothing(at(from.folder, from.name))
      const isReplaced = present !== undefined && (linked === undefined || !isSameFile(present, linked))
      if (isReplaced) fail('CONFLICT', 'the file was changed meanwhile: try again')
      if (present === undefined && (await namesLeft()) === 1n) return
      await unlink(at(from.folder, from.name))
    },
    async () => {
      if ((await namesLeft()) > 1n) await unlink(target)
    },
  )
}

/** Calls `undo`, which frees the reserved name, if `place` fails. */
async function orUndo(place: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  try {
    await place()
  } catch (error) {
    await undo()
    throw error
  }
}

/** True if the file system has no hard links, as FAT, or the kernel refuses a link to a file of another user. */
function isWithoutLinks(error: unknown): boolean {
  return isErrno(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS')
}
