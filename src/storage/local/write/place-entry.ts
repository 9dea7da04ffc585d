import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { Changing } from '../scope/effects.ts'
import { isSameFile, statsOrNothing } from '../system/disk.ts'
import { close, link, rename, renamesInPlace, rmdir, unlink } from '../system/gated-calls.ts'
import { at, type Location } from '../system/handle.ts'
import { createPrivateFile, createPrivateFolder } from '../system/new-entry.ts'
import { isErrno, unlessErrno } from '../../../platform/files/error-code.ts'

/**
 * Puts a file of this operation under a name that was free a moment ago.
 *
 * @param from a hidden name that nobody else uses
 * @returns false if the name is taken
 */
export async function placeIfFree(
  effects: Changing,
  from: Location,
  to: Location,
  accept: () => void,
): Promise<boolean> {
  return await effects.change([to], {
    look: async () => [],
    accept,
    make: async () => {
      try {
        if (await linkFile(from, to)) await removeHidden(from)
        return true
      } catch (error) {
        if (isErrno(error, 'EEXIST')) return false
        throw error
      }
    },
  })
}

/**
 * Puts a file of this operation in place if `decide` permits it. Reads, checks and replaces the present file under one lock: of
 * two writers that expect the same old file, only one replaces it.
 *
 * @param from a hidden name that nobody else uses
 * @param decide throws to refuse
 * @param accept the same, without anything to wait for between it and the change
 */
export async function placeIfAccepted(
  effects: Changing,
  from: Location,
  to: Location,
  decide: (present: BigIntStats | undefined) => Promise<void>,
  accept: (present: BigIntStats | undefined) => void,
): Promise<void> {
  await effects.change([to], {
    look: async () => {
      const present = await presentAt(to)
      await decide(present)
      return [present]
    },
    accept: ([present]) => accept(present),
    make: async ([present]) => {
      if (present !== undefined) await renameOver(from, to)
      // If the name was free, a file that another program has created since is not replaced.
      else if (await linkFile(from, to)) await removeHidden(from)
    },
  })
}

/** Replaces a file or link; rename() itself refuses to replace a folder. @param accept throws to refuse; as for the others here */
export async function placeOver(
  effects: Changing,
  from: Location,
  to: Location,
  accept?: (present: BigIntStats | undefined) => void,
): Promise<void> {
  await effects.change([from, to], {
    look: async () => [accept && (await presentAt(to))],
    accept: ([present]) => accept?.(present),
    make: async () => await renameOver(from, to),
  })
}

/** Puts a file or a link under a free name. */
export async function placeFile(effects: Changing, from: Location, to: Location, accept?: () => void): Promise<void> {
  await effects.change([from, to], {
    look: async () => [await presentAt(from)],
    accept: () => accept?.(),
    make: async ([moved]) => {
      if (await linkFile(from, to)) await removeOldName(effects, from, to, moved)
    },
  })
}

/**
 * As `placeOver`, and gives what is replaced another name first. If it is gone by now, as `placeFile`. On a disk without hard
 * links, nothing has the name for a moment.
 */
export async function placeOverKept(
  effects: Changing,
  from: Location,
  to: Location,
  kept: Location,
  accept?: () => void,
): Promise<void> {
  let isLinked = false
  await effects.change([from, to], {
    look: async () => {
      const present = await presentAt(to)
      if (present?.isDirectory() === true) fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
      isLinked = present !== undefined && (await linkIfPossible(to, kept))
      return [present, present === undefined ? await presentAt(from) : undefined]
    },
    accept: () => accept?.(),
    make: async ([present, moved]) => {
      if (present === undefined) {
        if (await linkFile(from, to)) await removeOldName(effects, from, to, moved)
        return
      }
      if (!isLinked) await renameOver(to, kept)
      await renameOver(from, to)
    },
  })
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
export async function placeFolder(effects: Changing, from: Location, to: Location, accept?: () => void): Promise<void> {
  await effects.change([from, to], {
    look: async () => [],
    accept: () => accept?.(),
    make: async () => {
      await createPrivateFolder(to)
      await orUndo(
        async () => {
          effects.countMoved()
          await renameOver(from, to)
        },
        async () => await rmdir(at(to.folder, to.name)),
      )
    },
  })
}

/** Puts anything under a free name of a folder into which only this operation puts something. */
export async function placeInOurs(
  effects: Changing,
  from: Location,
  to: Location,
  isFolder: boolean,
  accept?: () => void,
): Promise<void> {
  await effects.change([from, to], {
    look: async () => [],
    accept: () => accept?.(),
    make: async () => {
      if (isFolder) effects.countMoved()
      await renameOver(from, to)
    },
  })
}

/** Removes a file or a link. @param accept throws to refuse */
export async function removeEntry(effects: Changing, location: Location, accept: () => void): Promise<void> {
  await effects.change([location], {
    look: async () => [await presentAt(location)],
    accept,
    make: async ([present]) => await removeSeen(effects, location, present),
  })
}

/** The same. @param accept it sees what a save has put there meanwhile */
export async function removeIfAccepted(
  effects: Changing,
  location: Location,
  accept: (present: BigIntStats | undefined) => void,
): Promise<void> {
  await effects.change([location], {
    look: async () => [await presentAt(location)],
    accept: ([present]) => accept(present),
    make: async ([present]) => await removeSeen(effects, location, present),
  })
}

/** Removes a folder. @returns false if something is in it, or a disk is mounted on it */
export async function removeFolderIfEmpty(effects: Changing, location: Location, accept: () => void): Promise<boolean> {
  return await effects.change([location], {
    look: async () => [],
    accept,
    make: async () => {
      try {
        await rmdir(at(location.folder, location.name))
        return true
      } catch (error) {
        if (isErrno(error, 'ENOTEMPTY', 'EEXIST', 'EBUSY')) return false
        throw error
      }
    },
  })
}

/** Removes one of two names of a file, as a rename over another name of the same file does. @throws CONFLICT */
export async function removeOtherName(
  effects: Changing,
  from: Location,
  kept: Location,
  accept?: () => void,
): Promise<void> {
  await effects.change([from, kept], {
    look: async () => [await presentAt(from), await presentAt(kept)],
    accept: ([present, other]) => {
      if (present === undefined || other === undefined || !isSameFile(present, other)) failChanged()
      accept?.()
    },
    make: async ([present]) => await removeSeen(effects, from, present),
  })
}

/**
 * Removes one of two entries that stand for the same content unless `stays` returns true. Both names are locked: if each of two
 * operations removed the entry that the other keeps, the content would be lost.
 */
export async function removeBeside(
  effects: Changing,
  location: Location,
  kept: Location,
  stays: (present: BigIntStats, other: BigIntStats | undefined) => boolean,
): Promise<boolean> {
  return await effects.change([location, kept], {
    look: async () => [await presentAt(kept)],
    make: async ([other]) => {
      const present = await presentAt(location)
      if (present !== undefined && stays(present, other)) return false
      await unlink(at(location.folder, location.name))
      return true
    },
  })
}

/** After a file is in place. If this daemon was frozen, another one may have swept the hidden name. */
async function removeHidden({ folder, name }: Location): Promise<void> {
  await unlessErrno(unlink(at(folder, name)), 'ENOENT')
}

async function presentAt({ folder, name }: Location): Promise<BigIntStats | undefined> {
  return await statsOrNothing(at(folder, name))
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
 *
 * @param moved what had the old name when it was judged
 */
async function removeOldName(
  effects: Changing,
  from: Location,
  to: Location,
  moved: BigIntStats | undefined,
): Promise<void> {
  try {
    await removeSeen(effects, from, moved)
  } catch (error) {
    const [linked, present] = [await presentAt(to), await presentAt(from)]
    const isMoved = linked !== undefined && moved !== undefined && isSameFile(linked, moved)
    const isGone = isErrno(error, 'ENOENT')
    if (isGone && isMoved && linked.nlink === 1n) return
    const isBack = linked !== undefined && present !== undefined && isSameFile(linked, present)
    if (isBack || (isGone && isMoved)) await unlink(at(to.folder, to.name))
    throw error
  }
}

/**
 * Removes a file or a link, if it is still the one that was judged. Takes it away under a hidden name first: a daemon that was
 * frozen in between, and has lost its lock, would remove what another one has put there since.
 *
 * @throws CONFLICT
 */
async function removeSeen(effects: Changing, location: Location, seen: BigIntStats | undefined): Promise<void> {
  const { folder } = location
  if (!renamesInPlace(folder.fd)) {
    await removeUnhidden(location, seen)
    return
  }
  const hidden = { folder, name: effects.staged.begin() }
  try {
    await renameOver(location, hidden)
  } catch (error) {
    effects.staged.end(hidden.name)
    if (isErrno(error, 'ENOENT')) throw error
    // A full disk may have no room for another name, and must be freed all the same.
    await removeUnhidden(location, seen)
    return
  }
  let isLeft = true
  try {
    const taken = await presentAt(hidden)
    const isSeen = taken === undefined || (seen !== undefined && isSameFile(taken, seen))
    if (!isSeen && taken.isDirectory()) await renameOver(hidden, location)
    // If the name is taken again, rename() would lose a file: link() refuses.
    else if (isSeen || (await linkFile(hidden, location))) await removeHidden(hidden)
    isLeft = false
    if (!isSeen) failChanged()
  } finally {
    if (isLeft) effects.staged.leaveBehind(hidden.name)
    else effects.staged.end(hidden.name)
  }
}

/** The same where the hidden name cannot be had: what others put there at this very moment is not noticed. */
async function removeUnhidden(location: Location, seen: BigIntStats | undefined): Promise<void> {
  const present = await presentAt(location)
  const isOther = present !== undefined && (seen === undefined || !isSameFile(present, seen))
  // Behind FUSE, the same file may have another number each time.
  if (isOther && (present.mtimeNs !== seen?.mtimeNs || present.size !== seen.size)) failChanged()
  await unlink(at(location.folder, location.name))
}

function failChanged(): never {
  return fail('CONFLICT', 'the file was changed meanwhile: try again', { reason: 'changed' })
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
