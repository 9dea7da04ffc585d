import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEBIBYTE = 1024 * 1024

/** A disk that is easy to fill. */
export interface SmallDisk extends Disposable {
  readonly path: string
  /** Environment variables for a daemon that should see the disk as full. */
  readonly env: Readonly<Record<string, string>>
  /** Whether it really has the requested size, or is only reported as full. */
  readonly isReal: boolean
  /** Fills it until this many bytes are free, regardless of its content. */
  leave(bytes: number): void
  /** Frees the space that `leave` used. */
  empty(): void
}

/**
 * A tmpfs of this many mebibytes where root may mount one; otherwise, as in many containers, a library preloaded into the
 * daemon that rejects what a full disk would reject.
 *
 * @throws with advice if neither is possible
 */
export function smallDisk(mebibytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'filemgr-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path])
  if (mounted.status === 0) return mountedDisk(path)
  if (spawnSync('cc', ['--version']).status === 0) return pretendedDisk(path, mebibytes)
  rmSync(path, { recursive: true })
  throw new Error('this test fills a disk: run it as root where tmpfs may be mounted, or install a C compiler')
}

function mountedDisk(path: string): SmallDisk {
  const filler = join(path, 'filler')
  const empty = () => rmSync(filler, { force: true })
  return {
    path,
    env: {},
    isReal: true,
    empty,
    leave(bytes) {
      empty()
      const { bavail, bsize } = statfsSync(path)
      for (let left = bavail * bsize - bytes; left > 0; left -= MEBIBYTE)
        writeFileSync(filler, Buffer.alloc(Math.min(left, MEBIBYTE)), { flag: 'a' })
    },
    [Symbol.dispose]() {
      execFileSync('umount', [path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function pretendedDisk(path: string, mebibytes: number): SmallDisk {
  const [library, mark] = [join(path, 'full-disk.so'), join(path, 'full')]
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'full-disk.c'), '-ldl'])
  return {
    path,
    env: { LD_PRELOAD: library, FULL_DISK: mark },
    isReal: false,
    empty: () => rmSync(mark, { force: true }),
    leave: (bytes) => {
      // The file may be read while it is written.
      writeFileSync(`${mark}.new`, `${mebibytes * MEBIBYTE} ${bytes}`)
      renameSync(`${mark}.new`, mark)
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
