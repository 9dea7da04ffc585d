import { setTimeout } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../../domain/errors.ts'
import type { NameLocks } from '../../../platform/limits/name-locks.ts'
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
  /** Where a disk must be mounted, if any. */
  readonly mountPoint: string | undefined
  /** The current paths of the daemon's own files. */
  readonly protectedPaths: () => readonly string[]
  /** How many folders and files are kept open for the next requests. */
  readonly maxKept: number
  /** For changes of what is in it. */
  readonly locks: NameLocks
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

  /** The caller must dispose the root. @throws UNAVAILABLE while the folder does not exist */
  async acquire(): Promise<Served> {
    this.#served ??= this.#open()
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

  async #open(): Promise<Served> {
    const { mountPoint = '' } = this.#options
    if (mountPoint !== '' && !isMountPoint(mountPoint)) {
      this.#served = undefined
      fail('UNAVAILABLE', `no disk is mounted at ${mountPoint}: mount it`, { retryAfter: 10 })
    }
    try {
      using root = await hold(this.#options.path, HOLD_FOLDER)
      const protectedPaths = await this.#protectedIn(root)
      this.#protectedPaths = protectedPaths
      const identity = await this.#compare(root)
      this.#timer = setTimeout(() => this[Symbol.dispose](), MAX_AGE).unref()
      const kept = new KeptOpen(this.#options.maxKept)
      const effects = new Effects(this.#options.locks, async () => await this.#requireStill(identity))
      return { root: root.retain(), protectedPaths, openedPath: root.realPath, kept, effects }
    } catch (cause) {
      this.#served = undefined
      if (isErrno(cause, 'EMFILE', 'ENFILE')) throw cause
      const message = 'the served folder does not exist: mount its disk or restore it'
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
    const message = 'the served folder was replaced meanwhile, as when its disk is mounted or unmounted: try again'
    fail('UNAVAILABLE', message, { retryAfter: 1 })
  }

  async #compare(root: Handle): Promise<Identity> {
    const { dev, ino } = await statsOf(root)
    const before = this.#identity
    this.#identity = `${dev} ${ino}`
    if (before !== undefined && before !== this.#identity) this.#options.onReplaced()
    return { dev, ino }
  }
}
