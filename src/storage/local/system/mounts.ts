import { isBeneath } from '../../../platform/files/served-root.ts'
import { pathOfDescriptor, readProcFile } from './direct-calls.ts'

/** Milliseconds for which the mount table is cached. */
const CACHE_TTL = 2000
const DESCRIPTOR_PREFIX = '/proc/self/fd/'
const MAX_HELD_LENGTH = DESCRIPTOR_PREFIX.length + 10

/**
 * Local file systems. Every change to them updates the times of the file or folder; network and FUSE file systems can also be
 * changed elsewhere.
 */
const LOCAL: ReadonlySet<string> = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'bcachefs', 'tmpfs', 'overlay'],
])

/**
 * Where a rename costs little, and the file keeps its inode number. An overlay copies the content of a file first; behind FUSE there
 * may be a bucket, which does the same, and numbers that change.
 */
const RENAMES_IN_PLACE: ReadonlySet<string> = new Set(
  [...LOCAL, 'nfs', 'nfs4', 'ceph'].filter((type) => type !== 'overlay'),
)

interface KnownDescriptor {
  readonly device: string
  readonly type: string
  /** Another disk is mounted somewhere inside. */
  readonly isAboveMounts: boolean
}

/** Finds devices in the kernel's mount table instead of asking the disk, which might not answer. */
export class Mounts {
  #table = ''
  #mounts = new Map<string, Mount>()
  #readAt = -Infinity
  #known: (KnownDescriptor | undefined)[] = []

  /**
   * The device that a call on this descriptor or path uses. Links in the path are not followed, because reading each of them
   * would be one more call to a disk: the result is then the device of the link.
   */
  deviceOf(target: number | string | Buffer): string {
    this.#refresh()
    if (typeof target === 'number') return this.#knownOf(target).device
    const fd = heldBy(target)
    const known = fd === undefined ? undefined : this.#knownOf(fd)
    if (known?.isAboveMounts === false) return known.device
    const path = typeof target === 'string' ? target : target.toString('latin1')
    if (fd === undefined) return this.#deviceAt(path)
    return this.#deviceAt(realPathOf(fd) + path.slice(DESCRIPTOR_PREFIX.length + String(fd).length))
  }

  /** As of now: what is written to an empty mount point fills the disk of the system. @param path without links */
  isMountPoint(path: string): boolean {
    this.#readAgain()
    return this.#mounts.has(path)
  }

  /** As of now. @param path without links */
  mountPointAround(path: string): string {
    this.#readAgain()
    return this.#mountOf(path)?.mountPoint ?? '/'
  }

  /** @param target a descriptor, or a path without links */
  isLocal(target: number | string): boolean {
    this.#refresh()
    return LOCAL.has(typeof target === 'number' ? this.#knownOf(target).type : (this.#mountOf(target)?.type ?? ''))
  }

  renamesInPlace(fd: number): boolean {
    this.#refresh()
    return RENAMES_IN_PLACE.has(this.#knownOf(fd).type)
  }

  /** Call for each new descriptor, because its number may have been used for another file before. */
  opened(fd: number, path: string | Buffer): void {
    const parent = heldBy(path)
    const known = parent === undefined ? undefined : this.#known[parent]
    this.#known[fd] = known?.isAboveMounts === false ? known : undefined
  }

  /** Call for a descriptor that may be on another device than the path by which it was opened. */
  forget(fd: number): void {
    this.#known[fd] = undefined
  }

  #knownOf(fd: number): KnownDescriptor {
    const known = this.#known[fd]
    if (known) return known
    const path = realPathOf(fd)
    const inside = path === '/' ? '/' : `${path}/`
    const isAboveMounts = [...this.#mounts.keys()].some((point) => point.startsWith(inside))
    const mount = this.#mountOf(path)
    return (this.#known[fd] = { device: mount?.device ?? '', type: mount?.type ?? '', isAboveMounts })
  }

  #deviceAt(path: string): string {
    return this.#mountOf(path)?.device ?? ''
  }

  #mountOf(path: string): Mount | undefined {
    for (let rest = path; rest !== ''; rest = rest.slice(0, rest.lastIndexOf('/'))) {
      const mount = this.#mounts.get(rest)
      if (mount !== undefined) return mount
    }
    return this.#mounts.get('/')
  }

  #refresh(): void {
    if (performance.now() - this.#readAt >= CACHE_TTL) this.#readAgain()
  }

  #readAgain(): void {
    this.#readAt = performance.now()
    const table = readTable()
    if (table === this.#table) return
    this.#table = table
    this.#known = []
    // A later mount at the same path hides the earlier one.
    this.#mounts = new Map(mountsIn(table).map((mount) => [mount.mountPoint, mount]))
  }
}

/** The descriptor in a path of /proc/self/fd. */
function heldBy(path: string | Buffer): number | undefined {
  const start = typeof path === 'string' ? path.slice(0, MAX_HELD_LENGTH) : path.toString('latin1', 0, MAX_HELD_LENGTH)
  return start.startsWith(DESCRIPTOR_PREFIX) ? Number.parseInt(start.slice(DESCRIPTOR_PREFIX.length), 10) : undefined
}

function realPathOf(fd: number): string {
  try {
    return pathOfDescriptor(fd)
  } catch {
    // The path is longer than the kernel can report.
    return ''
  }
}

/** Empty if /proc is not mounted. */
export function readTable(): string {
  try {
    return readProcFile('mountinfo')
  } catch {
    return ''
  }
}

/** A line of the mount table. Texts have one character per byte. */
interface Mount {
  readonly device: string
  /** The folder or file of the device that appears at the mount point. */
  readonly root: string
  readonly mountPoint: string
  /** Type of the file system, such as "ext4". */
  readonly type: string
}

/**
 * Parses the kernel's mount table, /proc/self/mountinfo (proc_pid_mountinfo(5)): "36 35 98:0 /mnt1 /mnt/parent\040folder rw -
 * ext4 …". The third word is the device, then come the root on it and the mount point, with spaces in octal; the type comes
 * after the dash.
 *
 * @param table one character per byte
 */
export function mountsIn(table: string): Mount[] {
  return table.split('\n').flatMap((line) => {
    const words = line.split(' ')
    const [, , device, root, mountPoint] = words
    if (device === undefined || root === undefined || mountPoint === undefined) return []
    const type = words[words.indexOf('-', 5) + 1] ?? ''
    return [{ device, root: unescaped(root), mountPoint: unescaped(mountPoint), type }]
  })
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/**
 * Other paths that bind mounts give a folder or parts of it. Their parents are not the folder's real parents, so walking up from
 * them does not find it. Paths have one character per byte and no links.
 */
export function shownElsewhere(folder: string, mounts: readonly Mount[]): string[] {
  const around = onDeviceOf(folder, mounts)
  if (around === undefined) return []
  const onDevice = around.path
  return mounts.flatMap((mount) => {
    const { device, root, mountPoint } = mount
    if (device !== around.device) return []
    const isPart = isBeneath(onDevice, root)
    if (!isPart && !isBeneath(root, onDevice)) return []
    const shown = isPart ? mountPoint : join(mountPoint, onDevice.slice(root === '/' ? 0 : root.length))
    // A later mount at or above the path hides it.
    const isHidden = mounts.findLast((other) => other.mountPoint === nearestOf(shown, mounts)) !== mount
    return isHidden || isBeneath(folder, shown) ? [] : [shown]
  })
}

/** Which device has a path without links, and what its path is there: the same for all bind mounts of one folder. */
export function onDeviceOf(path: string, mounts: readonly Mount[]): { device: string; path: string } | undefined {
  const around = mounts.findLast(({ mountPoint }) => mountPoint === nearestOf(path, mounts))
  if (around === undefined) return undefined
  const { device, root, mountPoint } = around
  return { device, path: join(root, path.slice(mountPoint === '/' ? 0 : mountPoint.length)) }
}

/** The innermost mount point that contains a path. */
function nearestOf(path: string, mounts: readonly Mount[]): string | undefined {
  const around = mounts.filter(({ mountPoint }) => isBeneath(mountPoint, path))
  return around.toSorted((a, b) => b.mountPoint.length - a.mountPoint.length)[0]?.mountPoint
}

function join(root: string, rest: string): string {
  return (root === '/' ? rest : root + rest) || '/'
}
