import { watch, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { StoreLog } from './store-log.ts'

interface FileWatchOptions {
  readonly log: StoreLog
  /** Milliseconds between two looks at the file. */
  readonly pollInterval?: number
}

/**
 * Calls back when a file may have changed. The folder is watched, since a rename gives the name another file; a slow
 * poll is the net for file systems that tell nothing (network mounts, mounts in containers). Keeps no process alive.
 */
export class FileWatch implements Disposable {
  readonly #path: string
  readonly #changed: () => void
  readonly #timer: NodeJS.Timeout
  #watcher: FSWatcher | undefined
  #mark: string | undefined

  constructor(path: string, changed: () => void, { log, pollInterval = 2000 }: FileWatchOptions) {
    this.#path = path
    this.#changed = changed
    this.#timer = setInterval(() => void this.#poll(), pollInterval).unref()
    try {
      this.#watcher = watch(dirname(path), { persistent: false }, (_, name) => {
        if (name === null || name === basename(path)) changed()
      })
      this.#watcher.on('error', (error) =>
        log.warn(`The data folder is no longer watched, only polled: ${error.message}`),
      )
    } catch (error) {
      // ENOSPC and EMFILE: the system's watches are used up. The poll still runs.
      log.warn(`The data folder is polled, not watched: ${String(error)}`)
    }
  }

  async #poll(): Promise<void> {
    // Whatever a disk or a network says instead: reading the file then reports the error.
    const found = await stat(this.#path, { bigint: true }).catch(() => undefined)
    const mark = found && `${found.ino} ${found.mtimeNs} ${found.size}`
    const known = this.#mark
    this.#mark = mark ?? 'missing'
    if (known !== this.#mark) this.#changed()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#watcher?.close()
  }
}
