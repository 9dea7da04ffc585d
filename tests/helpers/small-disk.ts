import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEBIBYTE = 1024 * 1024
/** Containers have a shared memory of this size unless they are told otherwise: a small disk that needs no rights. */
const SHARED_MEMORY = '/dev/shm'

/** A disk of its own that is easily filled. */
export interface SmallDisk extends Disposable {
  readonly path: string
  /** Bytes that are free. */
  free(): number
  /** Fills it up to so many free bytes, whatever filled it before. */
  leave(bytes: number): void
  /** Gives back what `leave` took. */
  empty(): void
}

/**
 * A tmpfs of so many mebibytes where it may be mounted, which root may do on most machines; else the shared memory, where it is
 * not larger than a few of them.
 *
 * @throws where neither is to be had, with what to do
 */
export function smallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'filemgr-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder])
  if (mounted.status === 0) return diskOf(folder, () => execFileSync('umount', [folder]))
  rmSync(folder, { recursive: true })
  const { bsize, blocks } = existsSync(SHARED_MEMORY) ? statfsSync(SHARED_MEMORY) : { bsize: 0, blocks: 0 }
  const size = (bsize * blocks) / MEBIBYTE
  if (size < mebibytes || size > 4 * mebibytes)
    throw new Error(
      `this test fills a disk of its own: run it where tmpfs may be mounted (docker run --cap-add SYS_ADMIN), ` +
        `or with ${mebibytes} MiB of shared memory (docker run --shm-size ${mebibytes}m)`,
    )
  const shared = mkdtempSync(join(SHARED_MEMORY, 'filemgr-disk-'))
  return diskOf(shared, () => undefined)
}

function diskOf(path: string, unmount: () => void): SmallDisk {
  const filler = join(path, 'filler')
  const free = () => {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  }
  const empty = () => rmSync(filler, { force: true })
  return {
    path,
    free,
    empty,
    leave(bytes) {
      empty()
      for (let left = free() - bytes; left > 0; left -= MEBIBYTE)
        writeFileSync(filler, Buffer.alloc(Math.min(left, MEBIBYTE)), { flag: 'a' })
    },
    [Symbol.dispose]() {
      unmount()
      rmSync(path, { recursive: true, force: true })
    },
  }
}
