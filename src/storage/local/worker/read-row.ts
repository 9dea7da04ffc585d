import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { isFilemgrError } from '../../../domain/errors.ts'
import { mediaTypeOf, SNIFFED_BYTES, typeByName } from '../../../domain/files/media/media-type.ts'
import type { ResourceType } from '../../../domain/files/resource-type.ts'
import { goMode, typeOfFile } from '../../wire-format.ts'
import { requireAccess, type ScopeRoot } from '../scope/scope-root.ts'
import { type Handle, HOLD_TARGET } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'
import { KnownTypes } from './known-types.ts'
import type { Row } from './rows.ts'
import { destinationSync, holdSync, type NameBytes, pathOf, textOf } from './sync-calls.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } = constants

/** Reused for each file, because a listing reads the start of thousands. */
const START = Buffer.alloc(SNIFFED_BYTES)
const KNOWN_TYPES = new KnownTypes()

/** @returns undefined for missing and protected entries, and for links that leave the scope or lead to a denied path */
export function readRow(scopeRoot: ScopeRoot, folder: Handle, name: NameBytes, isSniffing: boolean): Row | undefined {
  const path = pathOf(folder, name)
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || scopeRoot.protectedPaths.has(stats)) return undefined
  if (kindOf(stats) === S_IFLNK) return readLinkRow(scopeRoot, folder, name, stats, isSniffing)
  return rowOf(
    stats,
    false,
    typeOf(textOf(name), stats, isSniffing, () => readStart(path, false)),
  )
}

/** Describes the target of a link, under the name of the link. */
function readLinkRow(
  scopeRoot: ScopeRoot,
  folder: Handle,
  name: NameBytes,
  own: BigIntStats,
  isSniffing: boolean,
): Row | undefined {
  try {
    using target = holdSync(pathOf(folder, name), HOLD_TARGET)
    requireAccess(scopeRoot, target)
    const stats = fstatSync(target.fd, { bigint: true })
    const start = () => readStart(`/proc/self/fd/${target.fd}`, true)
    return rowOf(stats, true, typeOf(textOf(name), stats, isSniffing, start))
  } catch (error) {
    if (isFilemgrError(error)) return undefined
    if (errnoCode(error) === undefined) throw error
    return leadsOut(scopeRoot, folder, name) ? undefined : rowOf(own, true, 'invalid_link')
  }
}

/** Whether a walk, which never follows links, lists this one: not if it leads out or in circles. */
export function isListedLink(scopeRoot: ScopeRoot, folder: Handle, name: NameBytes): boolean {
  try {
    using target = holdSync(pathOf(folder, name), HOLD_TARGET)
    requireAccess(scopeRoot, target)
    return true
  } catch (error) {
    if (isFilemgrError(error)) return false
    if (errnoCode(error) === undefined) throw error
    return !isErrno(error, 'ELOOP') && !leadsOut(scopeRoot, folder, name)
  }
}

/** For a link that could not be followed: whether its target is outside the scope. A circle is not. */
function leadsOut(scopeRoot: ScopeRoot, folder: Handle, name: NameBytes): boolean {
  try {
    destinationSync(scopeRoot, folder, Buffer.from(name, 'latin1'))[Symbol.dispose]()
    return false
  } catch (error) {
    if (isFilemgrError(error)) return error.code === 'FORBIDDEN' && error.details.reason !== 'circle'
    if (errnoCode(error) === undefined) throw error
    return false
  }
}

function rowOf(stats: BigIntStats, isSymlink: boolean, type: ResourceType): Row {
  const size = Number(stats.size)
  return { mode: goMode(stats), size, modified: stats.mtimeNs, isDir: kindOf(stats) === S_IFDIR, isSymlink, type }
}

/** Faster than the methods of BigIntStats, each of which compares BigInts. */
function kindOf({ mode }: BigIntStats): number {
  return Number(mode) & S_IFMT
}

function typeOf(
  name: string,
  stats: BigIntStats,
  isSniffing: boolean,
  start: () => Uint8Array | undefined,
): ResourceType {
  const kind = kindOf(stats)
  if (kind === S_IFDIR) return ''
  if (kind !== S_IFREG) return 'blob'
  const size = Number(stats.size)
  if (!isSniffing) return typeByName(name, size)
  const promised = mediaTypeOf(name)
  const known = KNOWN_TYPES.get(stats, promised)
  if (known !== undefined) return known
  const examined: Uint8Array[] = []
  const examine = () => {
    const bytes = start()
    if (bytes !== undefined) examined.push(bytes)
    return bytes
  }
  const type = typeOfFile({ name, size, canModify: true, start: examine })
  if (examined.length > 0) KNOWN_TYPES.set(stats, { promised, type })
  return type
}

/**
 * Valid until the next call. O_NOFOLLOW and O_NONBLOCK, because the name may have been swapped for a link or a FIFO.
 *
 * @param isHeld true if the path is that of an open descriptor, which is a link itself
 */
function readStart(path: string | Buffer, isHeld: boolean): Uint8Array | undefined {
  try {
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (isHeld ? 0 : O_NOFOLLOW))
    try {
      if (!fstatSync(fd).isFile()) return undefined
      return START.subarray(0, readSync(fd, START, 0, SNIFFED_BYTES, 0))
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    // An unreadable file must not break the listing; opening it reports the error.
    if (errnoCode(error) === undefined) throw error
    return undefined
  }
}
