import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { isFilemgrError } from '../../../../domain/errors.ts'
import { judge, type ScopeRoot } from '../../scope/scope-root.ts'
import { type Handle, HOLD_FOLDER, HOLD_TARGET } from '../../system/handle.ts'
import { errnoCode } from '../../system/os-error.ts'
import { holdSync, type NameBytes, pathOf } from '../sync-calls.ts'
import type { Source } from './members.ts'

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** O_NONBLOCK: does not block if a FIFO has replaced the file. */
const READ = O_RDONLY | O_NONBLOCK | O_NOCTTY

/** A file, open to be read. */
export class FileToRead implements Source, Disposable {
  readonly stats: Stats
  readonly #fd: number

  constructor(fd: number, stats: Stats) {
    this.#fd = fd
    this.stats = stats
  }

  read(into: Buffer, position: number): number {
    return readSync(this.#fd, into, 0, into.length, position)
  }

  statsNow(): Stats {
    return fstatSync(this.#fd)
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }
}

/** A folder, held to be walked. */
export class FolderToWalk implements Disposable {
  readonly handle: Handle
  readonly stats: Stats
  readonly isLinked: boolean

  constructor(handle: Handle, isLinked: boolean) {
    this.handle = handle
    this.stats = fstatSync(handle.fd)
    this.isLinked = isLinked
  }

  [Symbol.dispose](): void {
    this.handle[Symbol.dispose]()
  }
}

/**
 * An entry as an archive takes it: links stand for what they lead to.
 *
 * @returns undefined for what is no file or folder, is gone or protected, or is a link that leads nowhere or where it may not
 * @throws what the system says of an entry that cannot be read
 */
export function openEntry(
  scopeRoot: ScopeRoot,
  folder: Handle,
  name: NameBytes,
): FileToRead | FolderToWalk | undefined {
  const path = pathOf(folder, name)
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats !== undefined && scopeRoot.protectedPaths.has(stats)) return undefined
  if (stats?.isSymbolicLink()) return openTarget(scopeRoot, path)
  // A name that was swapped for a link since then is not followed.
  if (stats?.isFile()) return orGone(() => openFile(path, READ | O_NOFOLLOW))
  if (stats?.isDirectory()) return orGone(() => new FolderToWalk(holdSync(path, HOLD_FOLDER | O_NOFOLLOW), false))
  return undefined
}

function openTarget(scopeRoot: ScopeRoot, path: string | Buffer): FileToRead | FolderToWalk | undefined {
  return orGone(() => {
    using target = holdSync(path, HOLD_TARGET)
    judge(scopeRoot, target)
    const stats = fstatSync(target.fd)
    if (stats.isFile()) return openFile(`/proc/self/fd/${target.fd}`, READ)
    return stats.isDirectory() ? new FolderToWalk(target.retain(), true) : undefined
  })
}

function openFile(path: string | Buffer, flags: number): FileToRead | undefined {
  const fd = openSync(path, flags)
  const file = new FileToRead(fd, fstatSync(fd))
  if (file.stats.isFile()) return file
  file[Symbol.dispose]()
  return undefined
}

/** Undefined for what is gone, or leads where it may not. */
export function orGone<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (isFilemgrError(error) || ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(errnoCode(error) ?? ''))
      return undefined
    throw error
  }
}
