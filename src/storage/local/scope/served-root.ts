import { setTimeout } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../../domain/errors.ts'
import { statsOf } from '../system/disk.ts'
import { type Handle, hold, HOLD_FOLDER } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'
import { ProtectedPaths } from './protected-paths.ts'
import { KeptOpen } from './kept-open.ts'

/** Milliseconds after which a served folder is opened again by its path. */
const LOOK_AGAIN = 1000

/** The served folder as it was found last. */
interface Served {
  readonly root: Handle
  readonly protectedPaths: ProtectedPaths
  /** What was opened in it; lives as long. */
  readonly kept: KeptOpen
}

interface ServedRootOptions {
  readonly path: string
  /** Paths of what belongs to the daemon, as they are now. */
  readonly protectedPaths: () => readonly string[]
  /** How many folders and files are kept open for the next requests. */
  readonly mostKept: number
  /** Called when the served folder was replaced by another: a disk was mounted there, or folders were swapped. */
  readonly replaced: () => void
}

/**
 * The served folder, found by its path whenever it is wanted and held for a second at the most, besides what is going on in
 * it: so a disk that is mounted there later is served, and one that is not in use can be unmounted. Links on the way to it are
 * the operator's own and are followed.
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

  /** The caller holds the root. @throws UNAVAILABLE while there is no such folder */
  async take(): Promise<Served> {
    this.#served ??= this.#look()
    const { root, protectedPaths, kept } = await this.#served
    return { root: root.retain(), protectedPaths, kept }
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

  async #look(): Promise<Served> {
    try {
      using root = await hold(this.#options.path, HOLD_FOLDER)
      const protectedPaths = await this.#protectedIn(root)
      this.#protectedPaths = protectedPaths
      await this.#compare(root)
      this.#timer = setTimeout(() => this[Symbol.dispose](), LOOK_AGAIN).unref()
      return { root: root.retain(), protectedPaths, kept: new KeptOpen(this.#options.mostKept) }
    } catch (cause) {
      this.#served = undefined
      if (['EMFILE', 'ENFILE'].includes(errnoCode(cause) ?? '')) throw cause
      const message = 'the folder that is served is not there: its disk must be mounted, or the folder be brought back'
      return fail('UNAVAILABLE', message, { retryAfter: 10 }, { cause })
    }
  }

  /** A disk that does not answer must not delay requests: the last known state is used. */
  async #protectedIn(root: Handle): Promise<ProtectedPaths> {
    const look = ProtectedPaths.look(root, this.#options.protectedPaths())
    return this.#protectedPaths === undefined
      ? await look
      : await Promise.race([look, sleep(LOOK_AGAIN, this.#protectedPaths, { ref: false })])
  }

  async #compare(root: Handle): Promise<void> {
    const { dev, ino } = await statsOf(root)
    const before = this.#identity
    this.#identity = `${dev} ${ino}`
    if (before !== undefined && before !== this.#identity) this.#options.replaced()
  }
}
