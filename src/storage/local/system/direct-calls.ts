import { type BigIntStats, closeSync, fstatSync, readFileSync, readlinkSync, statSync, watch } from 'node:fs'
import { textOfBytes } from '../../../domain/files/name-text.ts'

/*
 * The calls of `node:fs` that need no device gate, because they never wait for a disk with users' files. All other calls are in
 * gated-calls.ts, or in worker threads, of which each device has its own.
 */

/** Reads a file of /proc. One character per byte. */
export function readProcFile(name: 'mountinfo'): string {
  return readFileSync(`/proc/self/${name}`, 'latin1')
}

/** The current path of an open entry, as the kernel reports it. One character per byte. */
export function pathOfDescriptor(fd: number): string {
  return readlinkSync(`/proc/self/fd/${fd}`, 'latin1')
}

/** For descriptors without pending writes, as those of O_PATH. */
export function closeHeld(fd: number): void {
  closeSync(fd)
}

/**
 * Where statx() is blocked, as in some old containers, Node reports the time of the last change as the birth time. Files in /proc
 * have no birth time, so a value for one of them reveals this.
 */
export function reportsBirthTimes(): boolean {
  return statSync('/proc/self/stat', { bigint: true }).birthtimeNs === 0n
}

/** For an open entry of a local disk: the kernel keeps its inode in memory. */
export function statsOfKept(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true })
}

/** Only for disks with the daemon's own data: while one of these is stalled, the daemon cannot work anyway. */
export function statsOfOwn(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true })
}

/** Like `statsOfOwn`, by path. Undefined if nothing exists there. */
export function statsOnOwnDisk(path: Buffer): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/**
 * Starts a watch (inotify), which Node can only do synchronously. The folder is open and was accessed through its gate just
 * before, so its disk answers.
 */
export function watchHeld(path: string, changed: (name: string | null) => void, failed: () => void): Disposable {
  const watcher = watch(path, { persistent: false, encoding: 'buffer' }, (_, name) =>
    changed(name === null ? null : textOfBytes(name)),
  )
  watcher.on('error', failed)
  return { [Symbol.dispose]: () => watcher.close() }
}
