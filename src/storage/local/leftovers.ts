import { lstat, opendir, unlink } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import { isStagedName } from './own-names.ts'
import { at, type Pin } from './pin.ts'

const DAY = 24 * 60 * 60 * 1000
/** Names that are looked at in one folder; the rest has its turn on another day. */
const MOST_NAMES = 20_000
/** Folders that are remembered as looked at. */
const MOST_REMEMBERED = 1000
/** Folders that wait; beyond them none is added, and the next file that comes to one adds it again. */
const MOST_WAITING = 8

/**
 * Removes files under hidden names that nobody writes any more and no record or journal knows: of a killed daemon that kept
 * nothing, or in a folder that was renamed from outside. Looked for only where files are written, since nothing else puts
 * them there: the tree is never walked for them.
 */
export class Leftovers implements AsyncDisposable {
  readonly #clock: Clock
  /** When a folder was looked at, by its path, the oldest first. */
  readonly #seen = new Map<string, number>()
  readonly #waiting: Pin[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Looks at a folder later, at most once a day, one folder after the other. Nobody waits for it. */
  visit(folder: Pin): void {
    const key = folder.realPath.toString('latin1')
    const isFresh = this.#clock.now() - (this.#seen.get(key) ?? -Infinity) < DAY
    if (isFresh || this.#isClosed || this.#waiting.length >= MOST_WAITING) return
    this.#remember(key)
    this.#waiting.push(folder.retain())
    this.#running ??= this.#sweepAll()
  }

  /** Resolves when no folder waits. */
  async settled(): Promise<void> {
    await this.#running
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.settled()
  }

  #remember(key: string): void {
    this.#seen.delete(key)
    this.#seen.set(key, this.#clock.now())
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > MOST_REMEMBERED && oldest !== undefined) this.#seen.delete(oldest)
  }

  async #sweepAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      using folder = next
      try {
        if (!this.#isClosed) await this.#sweep(folder)
      } catch {
        // Not ours to read or change, or gone meanwhile: what lies there stays hidden, and nobody waits to be told.
      }
    }
    this.#running = undefined
  }

  async #sweep(folder: Pin): Promise<void> {
    let seen = 0
    for await (const { name } of await opendir(at(folder))) {
      seen += 1
      if (seen > MOST_NAMES || this.#isClosed) return
      if (isStagedName(name)) await this.#removeOld(folder, name)
    }
  }

  /** Told by ctime, which nobody can set: the time of content is that of another file while a copy is made. */
  async #removeOld(folder: Pin, name: string): Promise<void> {
    const stats = await lstat(at(folder, name))
    if (stats.isFile() && this.#clock.now() - stats.ctimeMs > DAY) await unlink(at(folder, name))
  }
}
