import { setTimeout } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { DiskWait, diskStalled } from '../../../platform/limits/disk-wait.ts'
import type { NameLocks } from '../../../platform/limits/name-locks.ts'
import type { StagedNames } from '../../reserved-names.ts'
import { type Identity, isSameFile, statsOf } from '../system/disk.ts'
import { isMountPoint, stat } from '../system/gated-calls.ts'
import { type Handle, hold, HOLD_FOLDER } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'
import { ProtectedPaths } from './protected-paths.ts'
import { Effects } from './effects.ts'
import { KeptOpen } from './kept-open.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** Milliseconds after which a served folder is opened again by its path. */
const MAX_AGE = 1000

interface Served {
  readonly root: Handle
  readonly protectedPaths: ProtectedPaths
  /** Real path of the root when it was opened. */
  readonly openedPath: string
  /** Folders and files kept open in it, disposed with it. */
  readonly kept: KeptOpen
  readonly effects: Effects
}

interface ServedRootOptions {
  readonly path: string
  /** What messages call it. */
  readonly called: () => string
  /** Where a disk must be mounted, if any. */
  readonly mountPoint: string | undefined
  /** The current paths of the daemon's own files. */
  readonly protectedPaths: () => readonly string[]
  /** How many folders and files are kept open for the next requests. */
  readonly maxKept: number
  /** For changes of what is in it. */
  readonly locks: NameLocks
  readonly staged: StagedNames
  /** Called when another folder appears at the path: a disk was mounted there, or folders were swapped. */
  readonly onReplaced: () => void
}

/**
 * The served folder. Opens it by its path when needed and keeps it for a second, so that a disk mounted there later is served and
 * an idle disk can be unmounted; running operations keep their own handle. Follows links in the path, which are the operator's.
 */
export class ServedRoot implements Disposable {
  readonly #options: ServedRootOptions
  #served: Promise<Served> | undefined
  #protectedPaths: ProtectedPaths | undefined
  #identity: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: ServedRootOptions) {
    this.#options = options
  }

  /** The caller must dispose the root. @throws UNAVAILABLE while the folder does not exist, BUSY while its disk does not respond */
  async acquire(): Promise<Served> {
    this.#served ??= this.#opening()
    const served = await this.#served
    return { ...served, root: served.root.retain() }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    const served = this.#served
    this.#served = undefined
    void served?.then(
      ({ root, kept }) => {
        kept[Symbol.dispose]()
        root[Symbol.dispose]()
      },
      () => undefined,
    )
  }

  /** Ends for all who wait for it if the disk does not respond. */
  #opening(): Promise<Served> {
    const diskWait = new DiskWait()
    const opening = diskWait.run(async () => {
      const served = await this.#open()
      if (!diskWait.isReleased) return served
      served.root[Symbol.dispose]()
      throw diskStalled()
    })
    const isOver = () => this.#served !== opening
    opening.then(
      () => {
        if (!isOver()) this.#timer = setTimeout(() => this[Symbol.dispose](), MAX_AGE).unref()
      },
      () => {
        if (!isOver()) this.#served = undefined
      },
    )
    return opening
  }

  async #open(): Promise<Served> {
    const { path, called, mountPoint = '', maxKept, locks, staged } = this.#options
    try {
      using root = await hold(path, HOLD_FOLDER)
      // Only now: what was opened before the disk was mounted is refused by `#requireStill`.
      if (mountPoint !== '' && !isMountPoint(mountPoint))
        fail('UNAVAILABLE', `no disk is mounted at ${mountPoint}: mount it`, { retryAfter: 10 })
      const protectedPaths = await this.#protectedIn(root)
      this.#protectedPaths = protectedPaths
      const identity = await this.#compare(root)
      const effects = new Effects(locks, staged, async () => await this.#requireStill(identity))
      return { root: root.retain(), protectedPaths, openedPath: root.realPath, kept: new KeptOpen(maxKept), effects }
    } catch (cause) {
      if (isErrno(cause, 'EMFILE', 'ENFILE') || isFilemgrError(cause)) throw cause
      const message = `${called()} does not exist: mount its disk or restore it`
      return fail('UNAVAILABLE', message, { retryAfter: 10 }, { cause })
    }
  }

  /** Falls back to the last known paths after a second, because a stalled disk must not delay requests. */
  async #protectedIn(root: Handle): Promise<ProtectedPaths> {
    const loading = ProtectedPaths.load(root, this.#options.protectedPaths())
    return this.#protectedPaths === undefined
      ? await loading
      : await Promise.race([loading, sleep(MAX_AGE, this.#protectedPaths, { ref: false })])
  }

  /**
   * What is written beneath a disk that was mounted over the folder meanwhile would be acknowledged, and then nobody would see it.
   *
   * @throws UNAVAILABLE
   */
  async #requireStill(opened: Identity): Promise<void> {
    const present = await stat(this.#options.path, { bigint: true }).catch((error: unknown) => {
      if (errnoCode(error) === undefined) throw error
      return undefined
    })
    if (present !== undefined && isSameFile(present, opened)) return
    // The next operation opens what is there by now.
    this[Symbol.dispose]()
    const reason = 'was replaced meanwhile, as when its disk is mounted or unmounted: try again'
    fail('UNAVAILABLE', `${this.#options.called()} ${reason}`, { retryAfter: 1 })
  }

  async #compare(root: Handle): Promise<Identity> {
    const { dev, ino } = await statsOf(root)
    const before = this.#identity
    this.#identity = `${dev} ${ino}`
    if (before !== undefined && before !== this.#identity) this.#options.onReplaced()
    return { dev, ino }
  }
}
