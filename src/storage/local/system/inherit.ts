import type { BigIntStats } from 'node:fs'
import {
  ACCESS_LIST,
  attributePath,
  DEFAULT_LIST,
  dropInherited,
  folderAttributePath,
  readAttributes,
  writeAttributes,
} from './attributes.ts'
import { statsOf } from './disk.ts'
import { chmod, chown } from './gated-calls.ts'
import { at, type Handle, hold, HOLD_ENTRY, type Location } from './handle.ts'
import { ifPermitted } from './new-entry.ts'

const SET_GROUP = 0o2000n
const ALL_BITS = 0o7777n

/** Gives a file or folder that was made elsewhere what it would have if it had been made in this folder. */
export async function inherit(folder: Handle, entry: Location): Promise<void> {
  using held = await hold(at(entry.folder, entry.name), HOLD_ENTRY)
  const [around, stats] = [await statsOf(folder), await statsOf(held)]
  if (stats.isSymbolicLink()) return
  const hasGroup = (around.mode & SET_GROUP) !== 0n
  const isGiven = process.geteuid?.() === 0 && around.uid !== 0n
  const uid = isGiven ? Number(around.uid) : -1
  if (isGiven || hasGroup) await ifPermitted(chown(at(held), uid, Number(around.gid)))
  if (hasGroup && stats.isDirectory()) await chmod(at(held), Number((stats.mode & ALL_BITS) | SET_GROUP))
  await inheritAccessList(folder, entry, stats)
}

/** What decides about new entries of a folder: where it is the same, nothing needs to be inherited. */
export async function rulesFor(folder: Handle): Promise<string> {
  const { uid, gid, mode } = await statsOf(folder)
  const [list] = await readAttributes(folderAttributePath(folder), (name) => name === DEFAULT_LIST)
  return [uid, gid, mode & SET_GROUP, list?.value.toString('latin1')].join(' ')
}

const isAccessList = (name: string) => name === ACCESS_LIST || name === DEFAULT_LIST

async function inheritAccessList(folder: Handle, entry: Location, stats: BigIntStats): Promise<void> {
  const [found] = await readAttributes(folderAttributePath(folder), (name) => name === DEFAULT_LIST)
  const access = found && { name: ACCESS_LIST, value: limited(found.value, Number(stats.mode)) }
  const lists = found === undefined || access === undefined ? [] : stats.isDirectory() ? [access, found] : [access]
  await dropInherited(attributePath(entry), lists, isAccessList)
  await writeAttributes(attributePath(entry), lists)
}

/** Bytes of an access list before its entries, and of an entry: kind, rights, id. */
const HEAD = 4
const ENTRY = 8
const OWNER = 1
const GROUP = 4
const MASK = 16
const OTHERS = 32

/** What the kernel makes of a default access list for a new entry with this mode. */
function limited(list: Buffer, mode: number): Buffer {
  const own = Buffer.from(list)
  const offsets = Array.from({ length: Math.floor((own.length - HEAD) / ENTRY) }, (_, index) => HEAD + index * ENTRY)
  const hasMask = offsets.some((offset) => own.readUInt16LE(offset) === MASK)
  const limits = new Map([
    [OWNER, mode >> 6],
    [hasMask ? MASK : GROUP, mode >> 3],
    [OTHERS, mode],
  ])
  for (const offset of offsets) {
    const limit = limits.get(own.readUInt16LE(offset)) ?? 0o7
    own.writeUInt16LE(own.readUInt16LE(offset + 2) & limit & 0o7, offset + 2)
  }
  return own
}
