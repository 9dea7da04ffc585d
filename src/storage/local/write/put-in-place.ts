import { type BigIntStats, constants } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { WriteMode, Written } from '../../storage.ts'
import type { HeldLocation } from '../scope/destination.ts'
import { type Disk, statsOf, syncFolder } from '../system/disk.ts'
import {
  access,
  fchmod,
  fchown,
  futimes,
  getAttribute,
  listAttributes,
  removeAttribute,
  setAttribute,
} from '../system/gated-calls.ts'
import { at, type Location } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'
import { takePlace } from './place-entry.ts'

/** A file that is whole, under a hidden name. */
interface WholeFile {
  readonly fd: number
  readonly location: Location
}

/**
 * On the disk whatever happens to the power, then under its name, if what is there by then may be replaced.
 *
 * @param known what is to be replaced, as far as it has been judged
 */
export async function putInPlace(
  { fd, location }: WholeFile,
  place: HeldLocation,
  known: BigIntStats | undefined,
  mode: WriteMode,
  disk: Disk,
): Promise<Written> {
  if (mode.modified !== undefined) await futimes(fd, mode.modified / 1000, mode.modified / 1000)
  const takeOver = async (old: BigIntStats) => {
    await takeRights(fd, old)
    // Afterwards: changing the mode changes an access list.
    await copyAttributes(place, location)
  }
  if (known !== undefined) await takeOver(known)
  // Before the lock: others who write to this name need not wait for the disk.
  await disk.sync(fd)
  let replaced: BigIntStats | undefined
  await takePlace(location, place, async (present) => {
    replaced = present
    if (present?.ino === known?.ino && present?.ctimeNs === known?.ctimeNs) {
      mode.accept?.(present && writtenOf(present))
      return
    }
    await requireReplaceable(place, present, mode)
    if (present === undefined) return
    await takeOver(present)
    await disk.sync(fd)
  })
  await syncFolder(place.folder)
  const written = writtenOf(await statsOf({ fd }))
  // To write into the old file would keep its names together, and lose its content where that breaks off.
  return hasOtherNames(replaced) ? { ...written, linksParted: true } : written
}

/** Gives a new file the permissions of the one that it replaces, and its owner where we may give files away. */
async function takeRights(fd: number, old: BigIntStats): Promise<void> {
  await fchown(fd, Number(old.uid), Number(old.gid)).catch((error: unknown) => {
    if (errnoCode(error) !== 'EPERM') throw error
  })
  await fchmod(fd, Number(old.mode) & 0o777)
}

/**
 * Judges what is to be replaced, before the body is taken and again when it takes its place: in between, others may have
 * made the file or changed it, and the writer may lack permission to replace what they were permitted to create.
 *
 * @throws what `mode.accept` throws, CONFLICT, FORBIDDEN
 */
export async function requireReplaceable(
  place: HeldLocation,
  old: BigIntStats | undefined,
  mode: WriteMode,
): Promise<void> {
  mode.accept?.(old && writtenOf(old))
  if (old === undefined) return
  if (!mode.replace) fail('CONFLICT', 'something with this name is already there')
  if (old.isDirectory()) fail('CONFLICT', 'a folder is in the way')
  if (!old.isFile()) fail('FORBIDDEN', 'only regular files can be replaced')
  // The rename asks only for rights on the folder; a file that is read-only stays as it is.
  await access(at(place.folder, place.name), constants.W_OK).catch((error: unknown) => {
    // Renamed or deleted since: then nothing is replaced.
    if (errnoCode(error) !== 'ENOENT') throw error
  })
}

function hasOtherNames(file: BigIntStats | undefined): boolean {
  return file !== undefined && file.nlink > 1n
}

/** What is told of a file that was just written. */
function writtenOf({ size, mtimeNs, ino }: BigIntStats): Written {
  return { size: Number(size), modified: mtimeNs, inode: ino }
}

/** Rights of a program and checksums of its bytes must not pass to other bytes; the label of a file says what it is for. */
const NOT_COPIED = /^security\.(?!selinux$)/

/**
 * Gives a file the extended attributes of the one that it replaces, access lists among them, and takes away what it has from
 * its folder beyond them. Of what the disk does not allow nothing is said: the bytes count for more.
 */
async function copyAttributes(from: Location, to: Location): Promise<void> {
  const [source, target] = [pathOf(from), pathOf(to)]
  if (source === undefined || target === undefined) return
  const listed = async (path: string) => await listAttributes(path).catch((): string[] => [])
  const [wanted, present] = await Promise.all([listed(source), listed(target)])
  const isOurs = (name: string) => !NOT_COPIED.test(name)
  const copy = async (name: string) => {
    const value = await getAttribute(source, name)
    if (value !== null) await setAttribute(target, name, value)
  }
  const drop = async (name: string) => await removeAttribute(target, name)
  await Promise.allSettled([
    ...wanted.filter(isOurs).map(copy),
    ...present.filter((name) => isOurs(name) && !wanted.includes(name)).map(drop),
  ])
}

/** These calls take text only; a link of the last name is not followed. */
function pathOf({ folder, name }: Location): string | undefined {
  const path = at(folder, name)
  if (typeof path === 'string') return path
  return path.equals(Buffer.from(path.toString())) ? path.toString() : undefined
}
