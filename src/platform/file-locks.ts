import { readdir, readFile, stat } from 'node:fs/promises'

/**
 * The process that holds a lock of flock() on a file, as far as this system tells; undefined when none does. Processes of
 * other containers do not show.
 */
export async function lockHolderOf(path: string): Promise<number | undefined> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => '')
  const { dev, ino } = await stat(path, { bigint: true })
  for (const lock of parseLocks(locks)) {
    if (lock.kind !== 'FLOCK' || lock.inode !== ino) continue
    if (lock.device === deviceName(dev) || (await hasOpen(lock.pid, dev, ino))) return lock.pid
  }
  return undefined
}

interface Lock {
  readonly kind: string
  readonly pid: number
  /** "08:01": major and minor, in hex. */
  readonly device: string
  readonly inode: bigint
}

function parseLocks(text: string): Lock[] {
  const lines = text.matchAll(/^\d+: (\w+)\s+\w+\s+\w+\s+(\d+) ([0-9a-f]+:[0-9a-f]+):(\d+) /gm)
  return [...lines].map(([, kind = '', pid, device = '', inode = '0']) => ({
    kind,
    pid: Number(pid),
    device,
    inode: BigInt(inode),
  }))
}

function deviceName(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn)
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn)
  return [major, minor].map((number) => number.toString(16).padStart(2, '0')).join(':')
}

/** Some file systems are called by another device in the list of locks than by stat(). */
async function hasOpen(pid: number, device: bigint, inode: bigint): Promise<boolean> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => await stat(`/proc/${pid}/fd/${name}`, { bigint: true }).catch(() => undefined)),
  )
  return found.some((stats) => stats?.dev === device && stats.ino === inode)
}
