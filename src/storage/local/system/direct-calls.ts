import { type BigIntStats, closeSync, fstatSync, readFileSync, readlinkSync, statSync, watch } from 'node:fs'

/*
 * The calls of `node:fs` that pass no gate, since they wait for no disk of the users. All others are in gated-calls.ts, and in
 * the worker threads, of which each device has its own.
 */

/** Reads a file of /proc. One character per byte. */
export function readOfKernel(name: 'limits' | 'mountinfo'): string {
  return readFileSync(`/proc/self/${name}`, 'latin1')
}

/** Where a held entry is now. */
export function placeOfHeld(fd: number): Buffer {
  return readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' })
}

/** For O_PATH descriptors: they have no pending writes. */
export function closeHeld(fd: number): void {
  closeSync(fd)
}

/**
 * Where statx() is forbidden, as in some old containers, Node passes the time of the last change off as that of birth. Files
 * of /proc have no time of birth, so there it shows.
 */
export function tellsBirths(): boolean {
  return statSync('/proc/self/stat', { bigint: true }).birthtimeNs === 0n
}

/** Of a file that is kept open, which is on a local disk: its status is in memory for as long. */
export function statsOfKept(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true })
}

/** For the disks of the daemon's own data only, as the next one: while they do not answer it can do nothing anyway. */
export function statsOfOwn(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true })
}

export function statsOnOwnDisk(path: Buffer): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/**
 * Watches what the path leads to now: inotify and its kin. The system has no other way to begin; the folder is held, and was
 * looked at through its gate just before.
 */
export function watchHeld(path: string, changed: (name: string | null) => void, failed: () => void): Disposable {
  const watcher = watch(path, { persistent: false }, (_, name) => changed(name))
  watcher.on('error', failed)
  return { [Symbol.dispose]: () => watcher.close() }
}
