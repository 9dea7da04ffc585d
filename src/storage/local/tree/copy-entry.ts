import { close, constants, fchmod, fdatasync, futimes, open, type BigIntStats } from 'node:fs'
import { chmod, mkdir, readlink, symlink, utimes } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fail } from '../../../domain/errors.ts'
import type { Work } from '../../storage.ts'
import type { Ground } from '../ground.ts'
import { at, hold, HOLD_ENTRY, HOLD_FOLDER, type Pin } from '../pin.ts'
import { leadsInside, statsOf } from '../resolve.ts'
import { syncFolder } from '../staged-file.ts'
import { visibleChildrenOf } from './children.ts'
import { copyContent } from './copy-content.ts'
import { requireGoOn } from './go-on.ts'
import type { Location } from './location.ts'

const openDescriptor = promisify(open)
const closeDescriptor = promisify(close)
const changeMode = promisify(fchmod)
const changeTimes = promisify(futimes)
const syncDescriptor = promisify(fdatasync)

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** Each level holds two descriptors. */
const DEEPEST = 256

export interface Copying {
  readonly ground: Ground
  readonly work: Work
  /** On the disk, whatever happens to the power, before it counts as copied: what is copied will be removed. */
  readonly durable: boolean
  /** It takes the place of the original. A copy that stands beside it is as old as the copying. */
  readonly keepsTimes: boolean
}

/** What is copied: held, with its place, where the text of a link is read. */
export interface Original {
  readonly pin: Pin
  readonly stats: BigIntStats
  readonly location: Location
}

/**
 * Copies to a name where nothing may be, with modes. Links are made again if they lead inside from both places;
 * others are left out, and so are special files. What is half made when it fails is left to the caller.
 *
 * @returns false when it was left out
 */
export async function copyEntry(copying: Copying, from: Original, to: Location, depth = 0): Promise<boolean> {
  requireGoOn(copying.work)
  if (depth > DEEPEST) fail('INVALID_INPUT', `folders are nested deeper than ${DEEPEST}`)
  if (from.stats.isDirectory()) await copyFolder(copying, from, to, depth)
  else if (from.stats.isFile()) await copyFile(copying, from, to)
  else if (!from.stats.isSymbolicLink() || !(await isLinkCopied(copying, from, to))) {
    copying.work.leftOut?.(from.location.name.toString())
    return false
  }
  copying.work.advance?.(0, from.stats.isDirectory() ? 0 : 1)
  return true
}

/** Holds a child without following it: one that was swapped for a link meanwhile is copied as the link. */
export async function holdOriginal(location: Location): Promise<Original & Disposable> {
  using pin = await hold(at(location.folder, location.name), HOLD_ENTRY)
  const stats = await statsOf(pin)
  const held = pin.retain()
  return { pin: held, stats, location, [Symbol.dispose]: () => held[Symbol.dispose]() }
}

async function copyFolder(copying: Copying, { pin, stats }: Original, to: Location, depth: number): Promise<void> {
  await mkdir(at(to.folder, to.name), 0o700)
  using made = await hold(at(to.folder, to.name), HOLD_FOLDER | O_NOFOLLOW)
  for (const name of await visibleChildrenOf(pin)) {
    using child = await holdOriginal({ folder: pin, name })
    await copyEntry(copying, child, { folder: made, name }, depth + 1)
  }
  // Shared folders hand their group on by a bit of the mode.
  await chmod(at(made), Number(stats.mode) & 0o3777)
  if (copying.keepsTimes) await utimes(at(made), seconds(stats.atimeNs), seconds(stats.mtimeNs))
  if (copying.durable) await syncFolder(made)
}

async function copyFile({ work, durable, keepsTimes }: Copying, { pin, stats }: Original, to: Location): Promise<void> {
  const fd = await openDescriptor(at(to.folder, to.name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await copyContent(pin, stats, fd, work)
    await changeMode(fd, Number(stats.mode) & 0o777)
    if (keepsTimes) await changeTimes(fd, seconds(stats.atimeNs), seconds(stats.mtimeNs))
    if (durable) await syncDescriptor(fd)
  } finally {
    await closeDescriptor(fd)
  }
}

/**
 * The text is read once, and this text is judged and written: to judge the name and read it afterwards would let a swap in
 * between plant a link to anywhere.
 */
async function isLinkCopied({ ground }: Copying, { location }: Original, to: Location): Promise<boolean> {
  const text = await readlink(at(location.folder, location.name), { encoding: 'buffer' })
  if (!leadsInside(ground, location.folder, text) || !leadsInside(ground, to.folder, text)) return false
  await symlink(text, at(to.folder, to.name))
  return true
}

function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e9
}
