import { pathOfDescriptor } from '../system/direct-calls.ts'
import { isOnLocalDisk } from '../system/gated-calls.ts'

/** An open descriptor, closed when the last holder disposes it. */
export interface SharedOpen extends Disposable {
  readonly fd: number
  retain(): this
}

/**
 * Keeps folders and files open for later requests, by path. Before each use, it asks the kernel for the current path of the
 * descriptor, which touches no disk: if the entry was renamed, replaced, removed or moved with a parent, that path differs. This
 * does not detect changed permissions or new mounts, so nothing is kept longer than the served folder itself. Only for local
 * disks: other machines can change a network disk without this kernel's knowledge.
 */
export class KeptOpen implements Disposable {
  readonly #max: number
  readonly #open = new Map<string, SharedOpen>()
  #isClosed = false

  /** @param max how many descriptors to keep */
  constructor(max: number) {
    this.#max = max
  }

  /** The open entry at a path. Retain it to use it after an `await`. @param path one character per byte */
  at(path: string): SharedOpen | undefined {
    const open = this.#open.get(path)
    if (open === undefined) return undefined
    if (pathOfDescriptor(open.fd) === path) return open
    this.drop(path)
    return undefined
  }

  /** Keeps an entry, unless a link led to it: then its real path differs from `path`. */
  add(path: string, open: SharedOpen): void {
    if (this.#isClosed || this.#max === 0 || !isOnLocalDisk(path)) return
    if (pathOfDescriptor(open.fd) !== path) return
    this.drop(path)
    const [oldest] = this.#open.keys()
    if (oldest !== undefined && this.#open.size >= this.#max) this.drop(oldest)
    this.#open.set(path, open.retain())
  }

  drop(path: string): void {
    const open = this.#open.get(path)
    this.#open.delete(path)
    open?.[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    for (const path of this.#open.keys()) this.drop(path)
  }
}
