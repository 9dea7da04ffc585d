import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEBIBYTE = 1024 * 1024

/** A disk that is easily filled. */
export interface SmallDisk extends Disposable {
  readonly path: string
  /** What a daemon needs in its environment to see it full. */
  readonly env: Readonly<Record<string, string>>
  /** Whether it has the size that was asked for, and is not only said to be full. */
  readonly isReal: boolean
  /** Fills it up to so many free bytes, whatever filled it before. */
  leave(bytes: number): void
  /** Gives back what `leave` took. */
  empty(): void
}

/**
 * A tmpfs of so many mebibytes where it may be mounted, which root may do on most machines; in a container that may not, a
 * library around the daemon that refuses what a full disk would refuse.
 *
 * @throws where neither is to be had, with what to do
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
      // It is read while it is written.
      writeFileSync(`${mark}.new`, `${mebibytes * MEBIBYTE} ${bytes}`)
      renameSync(`${mark}.new`, mark)
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
