import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { FolderListener } from '../../storage.ts'
import { isOwnName } from '../scope/reserved-names.ts'
import type { Lease } from '../scope/run-operation.ts'
import { statsOf } from '../system/disk.ts'
import { readdir } from '../system/gated-calls.ts'
import { at, type Handle } from '../system/handle.ts'

/** Starts to watch; calls back with the name that changed. @throws when the system is out of watches */
export type StartWatch = (path: string, changed: (name: string | null) => void, failed: () => void) => Disposable

/** One watched folder. Where the system reports no changes, polling finds new, removed and renamed names. */
export class WatchedFolder implements Disposable {
  readonly listeners = new Set<FolderListener>()
  /** Changes after it resolves are reported. */
  readonly ready: Promise<void>
  readonly #folder: Handle
  readonly #lease: Lease
  #place: string
  #watch: Disposable | undefined
  #mark: FolderMark | undefined
  #hasEnded = false

  constructor(folder: Handle, lease: Lease, start: StartWatch) {
    this.#folder = folder
    this.#lease = lease
    this.#place = this.#whereabouts()
    const path = String(at(folder))
    try {
      this.#watch = start(
        path,
        (name) => this.#changed(name, basename(path)),
        () => this.#unwatch(),
      )
    } catch {
      // ENOSPC and EMFILE: the system's watches are used up. Network file systems tell nothing either way.
    }
    this.ready = this.#watch === undefined ? this.#compare() : Promise.resolve()
  }

  /** Finds out what a watch on the folder itself does not tell: that it, or a folder above it, was moved or removed. */
  async look(): Promise<void> {
    if (this.#hasEnded) return
    const place = this.#whereabouts()
    const hasMoved = place !== this.#place
    this.#place = place
    if (hasMoved) this.#notify(undefined)
    else if (this.#watch === undefined) await this.#compare()
  }

  [Symbol.dispose](): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#unwatch()
    this.#folder[Symbol.dispose]()
    this.#lease[Symbol.dispose]()
  }

  #changed(name: string | null, ownName: string): void {
    // An event about the folder itself comes under the name by which it is watched.
    if (name === null || name === ownName) return this.#notify(undefined)
    // Staged files and the trash are not reported.
    if (!isOwnName(name)) this.#notify(name)
  }

  #notify(name: string | undefined): void {
    if (this.#hasEnded) return
    for (const listener of [...this.listeners]) listener.changed(name)
  }

  async #compare(): Promise<void> {
    const before = this.#mark
    // A folder that cannot be read now is polled again the next time.
    const mark = await markOf(this.#folder, before).catch(() => before)
    this.#mark = mark
    if (before !== undefined && before.names !== mark?.names) this.#notify(undefined)
  }

  /** Empty if unknown: moving a parent folder can make its path too long for the system. */
  #whereabouts(): string {
    try {
      return this.#folder.realPath.toString('latin1')
    } catch {
      return ''
    }
  }

  #unwatch(): void {
    this.#watch?.[Symbol.dispose]()
    this.#watch = undefined
  }
}

/** What a folder looked like. */
interface FolderMark {
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** Stands for the names that are not the storage's own. */
  readonly names: string
}

/** The names are read only when the time is not that of `before`: names of our own change it too. */
async function markOf(folder: Handle, before: FolderMark | undefined): Promise<FolderMark> {
  using held = folder.retain()
  const { mtimeNs: modified } = await statsOf(held)
  if (modified === before?.modified) return before
  const hash = createHash('sha256')
  const names = await readdir(at(held)).catch(() => [])
  for (const name of names.toSorted()) if (!isOwnName(name)) hash.update(`${name}/`)
  return { modified, names: hash.digest('base64') }
}
