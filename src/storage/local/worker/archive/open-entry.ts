import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { isFilemgrError } from '../../../../domain/errors.ts'
import { requireAccess, type ScopeRoot } from '../../scope/scope-root.ts'
import { type Handle, HOLD_FOLDER, HOLD_TARGET } from '../../system/handle.ts'
import { holdSync, type NameBytes, pathOf } from '../sync-calls.ts'
import type { EntryFacts, Source } from '../../../../platform/archives/write/members.ts'
import { isErrno } from '../../../../platform/files/error-code.ts'

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** O_NONBLOCK: does not block if a FIFO has replaced the file. */
const READ = O_RDONLY | O_NONBLOCK | O_NOCTTY

export interface EntryStats extends EntryFacts {
  readonly device: number
  readonly mode: number
}

export function entryStats({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): EntryStats {
  const [device, inode, changed] = [Number(dev), Number(ino), Number(ctimeNs) / 1e6]
  return { device, inode, mode: Number(mode), size: Number(size), modified: mtimeNs, changed }
}

export function openStats(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true })
}

/** A file that is open for reading. */
export class FileToRead implements Source, Disposable {
  readonly stats: EntryStats
  readonly #fd: number

  constructor(fd: number, stats: EntryStats) {
    this.#fd = fd
    this.stats = stats
  }

  read(into: Buffer, position: number): number {
    return readSync(this.#fd, into, 0, into.length, position)
  }

  statsNow(): EntryStats {
    return entryStats(openStats(this.#fd))
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }
}

/** An open folder to walk. */
export class FolderToWalk implements Disposable {
  readonly handle: Handle
  readonly stats: EntryStats
  readonly isLinked: boolean

  constructor(handle: Handle, isLinked: boolean) {
    this.handle = handle
    this.stats = entryStats(openStats(handle.fd))
    this.isLinked = isLinked
  }

  [Symbol.dispose](): void {
    this.handle[Symbol.dispose]()
  }
}

/**
 * Opens an entry, or the target of a link.
 *
 * @returns why it is not taken along: a special file, or a link that is broken, leads out or to a denied path; undefined for
 *          missing and protected entries, which the user does not see
 * @throws system errors for entries that cannot be read
 */
export function openEntry(
  scopeRoot: ScopeRoot,
  folder: Handle,
  name: NameBytes,
): FileToRead | FolderToWalk | 'link' | 'special' | undefined {
  const path = pathOf(folder, name)
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || scopeRoot.protectedPaths.has(stats)) return undefined
  if (stats.isSymbolicLink()) return openTarget(scopeRoot, path) ?? 'link'
  // O_NOFOLLOW, because the name may have been swapped for a link since the lstat().
  if (stats.isFile()) return orNothing(() => openFile(path, READ | O_NOFOLLOW))
  if (stats.isDirectory()) return orNothing(() => new FolderToWalk(holdSync(path, HOLD_FOLDER | O_NOFOLLOW), false))
  return 'special'
}

function openTarget(scopeRoot: ScopeRoot, path: string | Buffer): FileToRead | FolderToWalk | undefined {
  return orNothing(() => {
    using target = holdSync(path, HOLD_TARGET)
    requireAccess(scopeRoot, target)
    const stats = openStats(target.fd)
    if (stats.isFile()) return openFile(`/proc/self/fd/${target.fd}`, READ)
    return stats.isDirectory() ? new FolderToWalk(target.retain(), true) : undefined
  })
}

function openFile(path: string | Buffer, flags: number): FileToRead | undefined {
  const fd = openSync(path, flags)
  const stats = openStats(fd)
  const file = new FileToRead(fd, entryStats(stats))
  if (stats.isFile()) return file
  file[Symbol.dispose]()
  return undefined
}

/** Undefined if the entry no longer exists, or the user may not reach it. */
export function orNothing<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (isFilemgrError(error) || isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return undefined
    throw error
  }
}
