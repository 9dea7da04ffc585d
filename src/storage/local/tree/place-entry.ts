import { close, constants, open } from 'node:fs'
import { link, mkdir, rename, rmdir, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorWord } from '../os-error.ts'
import { at } from '../pin.ts'
import type { Location } from './location.ts'

const openDescriptor = promisify(open)
const closeDescriptor = promisify(close)

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** Over a file or link, never over a folder: rename() itself refuses that. */
export async function placeOver(from: Location, to: Location): Promise<void> {
  await rename(at(from.folder, from.name), at(to.folder, to.name))
}

/** Puts a file or a link under a name that is free. Node lacks the rename that refuses to replace; link() refuses as well. */
export async function placeFile(from: Location, to: Location): Promise<void> {
  const target = at(to.folder, to.name)
  try {
    await link(at(from.folder, from.name), target)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    await closeDescriptor(await openDescriptor(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
    await orGiveBack(
      async () => await placeOver(from, to),
      async () => await unlink(target),
    )
    return
  }
  await unlink(at(from.folder, from.name))
}

/** rename() replaces an empty folder silently, so the name is taken first: mkdir() fails when anything is there. */
export async function placeFolder(from: Location, to: Location): Promise<void> {
  const target = at(to.folder, to.name)
  await mkdir(target, 0o700)
  await orGiveBack(
    async () => await placeOver(from, to),
    async () => await rmdir(target),
  )
}

/** The name that was taken is free again when nothing came to it. */
async function orGiveBack(place: () => Promise<void>, giveBack: () => Promise<void>): Promise<void> {
  try {
    await place()
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** Disks that know no hard links, as FAT; the system refuses them for files of others, too. */
function isWithoutLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(errorWord(error) ?? '')
}
