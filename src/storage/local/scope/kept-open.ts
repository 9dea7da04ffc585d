import { placeOfHeld } from '../system/direct-calls.ts'
import { isOnLocalDisk } from '../system/gated-calls.ts'

/** Open by a descriptor, which is closed when the last holder has let go. */
export interface SharedOpen extends Disposable {
  readonly fd: number
  retain(): this
}

/**
 * Folders and files that requests have opened, for the requests that follow. Each is known by its place and asked of the kernel
 * again before it is used: something that was renamed, replaced, removed or moved with a folder around it is elsewhere then.
 * That is a question about a descriptor and touches no disk. Permissions of folders and mounts on top are not seen by it, so
 * nothing is kept for longer than the served folder itself is. Only local disks: others change without the kernel's knowledge.
 */
export class KeptOpen implements Disposable {
  readonly #most: number
  readonly #open = new Map<string, SharedOpen>()
  #isClosed = false

  /** @param most how many things, each with a descriptor */
  constructor(most: number) {
    this.#most = most
  }

  /** What lies at a place. Only for now: to use it for longer is to retain it. @param place one character per byte */
  at(place: string): SharedOpen | undefined {
    const open = this.#open.get(place)
    if (open === undefined) return undefined
    if (placeOfHeld(open.fd).toString('latin1') === place) return open
    this.drop(place)
    return undefined
  }

  /** Keeps what was opened at a place, unless it lies elsewhere: a link led there. */
  add(place: string, open: SharedOpen): void {
    if (this.#isClosed || this.#most === 0 || !isOnLocalDisk(place)) return
    if (placeOfHeld(open.fd).toString('latin1') !== place) return
    this.drop(place)
    const [oldest] = this.#open.keys()
    if (oldest !== undefined && this.#open.size >= this.#most) this.drop(oldest)
    this.#open.set(place, open.retain())
  }

  drop(place: string): void {
    const open = this.#open.get(place)
    this.#open.delete(place)
    open?.[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    for (const place of this.#open.keys()) this.drop(place)
  }
}
