import { watch, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { StoreLog } from './store.ts'

interface FileWatchOptions {
  readonly log: StoreLog
  /** Milliseconds between two polls of the file. */
  readonly pollInterval?: number
}

/**
 * Calls back when a file may have changed. Watches the folder, because a rename replaces the file, and polls slowly for
 * file systems without events (network mounts, mounts in containers). Does not keep the process alive.
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
        log.warn(`Watching the data folder failed; it is polled instead: ${error.message}`),
      )
    } catch (error) {
      // ENOSPC and EMFILE: the system is out of watches. The poll still runs.
      log.warn(`The data folder cannot be watched and is polled instead: ${String(error)}`)
    }
  }

  async #poll(): Promise<void> {
    // Any error counts as missing: reading the file reports it.
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
