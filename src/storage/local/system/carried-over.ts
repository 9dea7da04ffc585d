import type { BigIntStats } from 'node:fs'
import { isTimeHeld } from '../../../domain/files/file-time.ts'
import {
  type Attribute,
  attributePath,
  DEFAULT_LIST,
  dropInherited,
  folderAttributePath,
  hasAttribute,
  isAccessList,
  readAttributes,
  writeAttributes,
} from './attributes.ts'
import { statsOf } from './disk.ts'
import { mayBeUnheld, setFileTimes, setFolderTimes, setLinkTimes, timesOf } from './file-times.ts'
import { chmod, chown, fchmod, fchown, lchown } from './gated-calls.ts'
import { at, type Handle, type Location } from './handle.ts'
import { ifPermitted } from './new-entry.ts'

/*
 * What an entry takes over from another: everything from the one that moved here, permissions from the file that it replaces, and
 * only tags from the one that it is a copy of. What a new entry gets without another is in new-entry.ts.
 */

/** State of an entry when its copying began. */
export interface Original {
  readonly stats: BigIntStats
  readonly attributes: readonly Attribute[]
}

/** Attributes of users, and access lists. Those of the system, such as SELinux labels, belong to the place. */
const KEPT_ATTRIBUTES = /^(?:user\.|trusted\.|system\.posix_acl_(?:access|default)$)/
export const isKept = (name: string): boolean => KEPT_ATTRIBUTES.test(name)

const PERMISSIONS = 0o777
const PRIVATE = 0o600
/** Also setuid, setgid and sticky bits. */
const ALL_BITS = 0o7777
const STICKY = 0o1000

/** As `mv` does. @returns what the disk does not keep */
export async function moveToFile(fd: number, to: Location, { stats, attributes }: Original): Promise<string[]> {
  const isOwned = await giveTo(stats, async (uid, gid) => await fchown(fd, uid, gid))
  // Copying the content may have given it the mode of the original, which may forbid tags even to the owner.
  if (attributes.length > 0) await fchmod(fd, PRIVATE)
  // A setuid bit without the owner whom it was for would run the file as somebody else.
  const mode = Number(stats.mode) & (isOwned ? ALL_BITS : PERMISSIONS)
  const lost = await moveAttributes(attributePath(to), attributes, async () => await fchmod(fd, mode))
  await setFileTimes(fd, timesOf(stats))
  return [...lost, ...(await lostTimeOf({ fd }, stats))]
}

/** The same, once the folder is complete. */
export async function moveToFolder(folder: Handle, { stats, attributes }: Original): Promise<string[]> {
  const isOwned = await giveTo(stats, async (uid, gid) => await chown(at(folder), uid, gid))
  const mode = Number(stats.mode) & (isOwned ? ALL_BITS : PERMISSIONS | STICKY)
  const lost = await moveAttributes(folderAttributePath(folder), attributes, async () => await chmod(at(folder), mode))
  await setFolderTimes(folder, timesOf(stats))
  return [...lost, ...(await lostTimeOf(folder, stats))]
}

export async function moveToLink(to: Location, stats: BigIntStats): Promise<void> {
  await giveTo(stats, async (uid, gid) => await lchown(at(to.folder, to.name), uid, gid))
  await setLinkTimes(to, timesOf(stats))
}

/**
 * Gives a copy the tags of its original; also the access list, unless the new folder has one for new entries.
 *
 * @param target path for attribute calls
 * @returns the names of those that the disk does not keep
 */
export async function copyAttributes(
  target: string | undefined,
  folder: Handle,
  attributes: readonly Attribute[],
): Promise<string[]> {
  const hasList = attributes.some(({ name }) => isAccessList(name))
  if (hasList && (await hasAttribute(folderAttributePath(folder), DEFAULT_LIST)))
    return await writeAttributes(target, tagsOf(attributes))
  return await writeAttributes(target, attributes)
}

const tagsOf = (attributes: readonly Attribute[]): Attribute[] => attributes.filter(({ name }) => !isAccessList(name))

/** Capabilities and checksums of a program must not pass to new content. The SELinux label may: it belongs to the path. */
const UNCOPIED_ATTRIBUTES = /^security\.(?!selinux$)/
const isPassedOn = (name: string): boolean => !UNCOPIED_ATTRIBUTES.test(name)

/**
 * Gives a file that replaces another one the same owner, mode and attributes, and the tags of what it is a copy of.
 *
 * @returns the names of tags that the disk does not keep; others are not reported, because saving the content matters more
 */
export async function replaceFile(
  fd: number,
  location: Location,
  replaced: Location,
  old: BigIntStats,
  copied: readonly Attribute[] = [],
): Promise<string[]> {
  const created = await statsOf({ fd })
  const isOwned = created.uid === old.uid && created.gid === old.gid
  if (!isOwned) await giveTo(old, async (uid, gid) => await fchown(fd, uid, gid))
  const target = attributePath(location)
  const tags = tagsOf(copied)
  const ofReplaced = await readAttributes(attributePath(replaced), isPassedOn)
  const attributes = [...ofReplaced.filter((each) => tags.every(({ name }) => name !== each.name)), ...tags]
  const mode = Number(old.mode) & PERMISSIONS
  const setMode = async () => await fchmod(fd, mode)
  const isPlain = isOwned && attributes.length === 0 && (Number(created.mode) & ALL_BITS) === mode
  const lost = await writeAttributes(target, attributes, isPlain ? undefined : setMode)
  await dropInherited(target, attributes, isPassedOn)
  return tags.map(({ name }) => name).filter((name) => lost.includes(name))
}

/** Only root may give entries to others; their group may also be set by its members. @returns whether both were set */
async function giveTo(
  { uid, gid }: BigIntStats,
  change: (uid: number, gid: number) => Promise<void>,
): Promise<boolean> {
  if (await ifPermitted(change(Number(uid), Number(gid)))) return true
  await ifPermitted(change(-1, Number(gid)))
  return false
}

/** A moved entry has exactly the attributes of its original, also none that its new folder gives to new entries. */
async function moveAttributes(
  target: string | undefined,
  attributes: readonly Attribute[],
  setMode: () => Promise<void>,
): Promise<string[]> {
  const lost = await writeAttributes(target, attributes, setMode)
  await dropInherited(target, attributes, isKept)
  return lost
}

/** A disk that cannot hold a time takes the nearest one that it can, without an error. */
async function lostTimeOf(entry: { readonly fd: number }, { mtimeNs }: BigIntStats): Promise<string[]> {
  if (!mayBeUnheld(mtimeNs) || isTimeHeld(mtimeNs, (await statsOf(entry)).mtimeNs)) return []
  return ['modification time']
}
