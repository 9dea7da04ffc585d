import { isBeneath } from '../../../platform/files/served-root.ts'
import { placeOfHeld, readOfKernel } from './direct-calls.ts'

/** Milliseconds for which the mount table is cached. */
const FRESH = 2000
const HELD = '/proc/self/fd/'
const LONGEST_HELD = HELD.length + 10

/**
 * File systems of disks of this machine. They tell every change by the times of the file or folder; network and FUSE file systems
 * may change elsewhere.
 */
const LOCAL: ReadonlySet<string> = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'bcachefs', 'tmpfs', 'overlay'],
])

interface KnownDescriptor {
  readonly device: string
  /** Another disk is mounted somewhere beneath. */
  readonly isAboveMounts: boolean
}

/** Tells devices without a look at the disk, which could be the one that does not answer: by the kernel's table of mounts. */
export class Mounts {
  #table = ''
  #mounts = new Map<string, Mount>()
  #readAt = -Infinity
  #known: (KnownDescriptor | undefined)[] = []

  /**
   * The device that a call on this descriptor or path goes to. A link on the path counts as the device that it lies on: where it
   * leads is known only after reading every link on the path, one more call on the disk for each.
   */
  deviceOf(target: number | string | Buffer): string {
    this.#refresh()
    if (typeof target === 'number') return this.#knownOf(target).device
    const fd = heldBy(target)
    const known = fd === undefined ? undefined : this.#knownOf(fd)
    if (known?.isAboveMounts === false) return known.device
    const path = typeof target === 'string' ? target : target.toString('latin1')
    if (fd === undefined) return this.#deviceAt(path)
    return this.#deviceAt(realPathOf(fd) + path.slice(HELD.length + String(fd).length))
  }

  /** @param path with no link on the way */
  isLocal(path: string): boolean {
    this.#refresh()
    return LOCAL.has(this.#mountOf(path)?.type ?? '')
  }

  /** The descriptor number may have been used for another file before. */
  opened(fd: number, path: string | Buffer): void {
    const parent = heldBy(path)
    const known = parent === undefined ? undefined : this.#known[parent]
    this.#known[fd] = known?.isAboveMounts === false ? known : undefined
  }

  /** For a descriptor that is on another device than its path said. */
  forget(fd: number): void {
    this.#known[fd] = undefined
  }

  #knownOf(fd: number): KnownDescriptor {
    const known = this.#known[fd]
    if (known) return known
    const path = realPathOf(fd)
    const inside = path === '/' ? '/' : `${path}/`
    const isAboveMounts = [...this.#mounts.keys()].some((point) => point.startsWith(inside))
    return (this.#known[fd] = { device: this.#deviceAt(path), isAboveMounts })
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
    const now = performance.now()
    if (now - this.#readAt < FRESH) return
    this.#readAt = now
    const table = readTable()
    if (table === this.#table) return
    this.#table = table
    this.#known = []
    // A later mount at the same path hides the earlier one.
    this.#mounts = new Map(mountsIn(table).map((mount) => [mount.place, mount]))
  }
}

/** The descriptor that a path goes by. */
function heldBy(path: string | Buffer): number | undefined {
  const start = typeof path === 'string' ? path.slice(0, LONGEST_HELD) : path.toString('latin1', 0, LONGEST_HELD)
  return start.startsWith(HELD) ? Number.parseInt(start.slice(HELD.length), 10) : undefined
}

function realPathOf(fd: number): string {
  try {
    return placeOfHeld(fd).toString('latin1')
  } catch {
    // Longer than the system can tell.
    return ''
  }
}

/** Empty where there is none. */
export function readTable(): string {
  try {
    return readOfKernel('mountinfo')
  } catch {
    return ''
  }
}

/** Texts are one character per byte. */
interface Mount {
  readonly device: string
  /** The folder or file of the device that appears at the mount point. */
  readonly root: string
  readonly place: string
  /** Of the file system, such as "ext4". */
  readonly type: string
}

/**
 * Reads the kernel's table of mounts, /proc/self/mountinfo (proc_pid_mountinfo(5)): "36 35 98:0 /mnt1 /mnt/parent\040folder
 * rw - ext4 …", the device is the third word, then come the root on it and the place, with spaces and the like in octal; the
 * type stands behind the dash.
 *
 * @param table one character per byte
 */
export function mountsIn(table: string): Mount[] {
  return table.split('\n').flatMap((line) => {
    const words = line.split(' ')
    const [, , device, root, place] = words
    if (device === undefined || root === undefined || place === undefined) return []
    const type = words[words.indexOf('-', 5) + 1] ?? ''
    return [{ device, root: unescaped(root), place: unescaped(place), type }]
  })
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/**
 * Where mounts show a folder or something in it once more, by another path: the folders around it are not those on the way
 * there. Paths are one character per byte, with no link on the way.
 */
export function shownElsewhere(folder: string, mounts: readonly Mount[]): string[] {
  const around = mounts.findLast(({ place }) => place === nearestOf(folder, mounts))
  if (around === undefined) return []
  const onDevice = join(around.root, folder.slice(around.place === '/' ? 0 : around.place.length))
  return mounts.flatMap((mount) => {
    const { device, root, place } = mount
    if (device !== around.device) return []
    const isPart = isBeneath(onDevice, root)
    if (!isPart && !isBeneath(root, onDevice)) return []
    const shown = isPart ? place : join(place, onDevice.slice(root === '/' ? 0 : root.length))
    // What is mounted over it later hides it.
    const isHidden = mounts.findLast((other) => other.place === nearestOf(shown, mounts)) !== mount
    return isHidden || isBeneath(folder, shown) ? [] : [shown]
  })
}

/** The mount point of a path. */
function nearestOf(path: string, mounts: readonly Mount[]): string | undefined {
  const around = mounts.filter(({ place }) => isBeneath(place, path))
  return around.toSorted((a, b) => b.place.length - a.place.length)[0]?.place
}

function join(root: string, rest: string): string {
  return (root === '/' ? rest : root + rest) || '/'
}
