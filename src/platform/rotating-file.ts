import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface RotatingFileOptions {
  readonly path: string
  /** Make the folder when it is missing, but not the folder above. */
  readonly makesFolder?: boolean
  /** Bytes of one file; a line that passes it is the last one there. */
  readonly limit?: number
  /** How many files there are at the most, with the current one. */
  readonly files?: number
}

/**
 * A file of lines, for us alone to read. A full one is moved aside: `x.log` becomes `x.log.1`, that becomes `x.log.2`, and
 * the oldest goes. Several processes may write to it: each line is one append.
 *
 * What a line costs is known at once, since it is written at once: the last lines before a crash are the ones that are needed.
 */
export class RotatingFile implements Disposable {
  readonly path: string
  readonly #limit: number
  readonly #files: number
  readonly #makesFolder: boolean
  #fd: number | undefined

  constructor({ path, limit = 100 * 1024 * 1024, files = 10, makesFolder = false }: RotatingFileOptions) {
    this.path = path
    this.#limit = limit
    this.#files = files
    this.#makesFolder = makesFolder
  }

  /** @param line with its line break. @throws what the file system says */
  write(line: string): void {
    const fd = (this.#fd ??= this.#open())
    writeSync(fd, line)
    if (fstatSync(fd).size >= this.#limit) this.#rotate(fd)
  }

  /** The next line goes to a file of this name that is opened anew: the old one was moved away. */
  reopen(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  [Symbol.dispose](): void {
    this.reopen()
  }

  #open(): number {
    if (this.#makesFolder) makeFolder(dirname(this.path))
    return openSync(this.path, 'a', 0o600)
  }

  #rotate(fd: number): void {
    // Another process may have moved it aside already: its fresh file is not to follow.
    if (inodeOf(this.path) === fstatSync(fd).ino) {
      for (let age = this.#files - 2; age >= 0; age--)
        moveIfThere(agedPath(this.path, age), agedPath(this.path, age + 1))
    }
    this.reopen()
  }
}

/** The name of the file that was moved aside so many times; 0 is the current one. */
export function agedPath(path: string, age: number): string {
  return age === 0 ? path : `${path}.${age}`
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
