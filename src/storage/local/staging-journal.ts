import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { parseJson } from '../../domain/parse-json.ts'
import { errorWord } from './os-error.ts'
import { isStagedName } from './own-names.ts'
import { hold, HOLD_FOLDER, type Pin } from './pin.ts'
import { removeTree } from './tree/remove-tree.ts'

/** One line: a name that begins to be used, with its folder one character per byte, or one that is over. */
interface Line {
  readonly folder?: string
  readonly name: string
}

/**
 * Remembers what lies under hidden names while it is written or copied, so that the next start finds what a process left
 * behind that was killed in the middle. Lines are not forced to the disk: what a power failure takes of them only stays unseen.
 */
export class StagingJournal implements Disposable {
  readonly #fd: number
  #open = 0

  private constructor(fd: number) {
    this.#fd = fd
  }

  /**
   * Removes what earlier processes left, then begins anew.
   *
   * @param path file of the journal; of one process at a time
   */
  static async open(path: string): Promise<StagingJournal> {
    for (const { folder, name } of leftBehind(path)) await removeLeftover(folder, name)
    const fd = openSync(path, 'a', 0o600)
    ftruncateSync(fd, 0)
    return new StagingJournal(fd)
  }

  /** Disposing of it says that the name is over. Synchronous, since a short write costs less than waiting for a turn. */
  note(folder: Pin, name: string): Disposable {
    this.#write({ folder: folder.realPath.toString('latin1'), name })
    this.#open += 1
    return {
      [Symbol.dispose]: () => {
        this.#open -= 1
        if (this.#open === 0) ftruncateSync(this.#fd, 0)
        else this.#write({ name })
      },
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }

  #write(line: Line): void {
    writeSync(this.#fd, `${JSON.stringify(line)}\n`)
  }
}

function leftBehind(path: string): { folder: string; name: string }[] {
  const open = new Map<string, string>()
  for (const text of linesOf(path)) {
    const line = parseLine(text)
    if (line?.folder === undefined) open.delete(line?.name ?? '')
    else open.set(line.name, line.folder)
  }
  return [...open].map(([name, folder]) => ({ folder, name }))
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch (error) {
    if (errorWord(error) === 'ENOENT') return []
    throw error
  }
}

/** Undefined for a line that was cut in the middle. Only hidden names are taken from it, whatever it says. */
function parseLine(text: string): Line | undefined {
  const { folder, name } = (parseJson(text) ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || !isStagedName(name)) return undefined
  return typeof folder === 'string' ? { folder, name } : { name }
}

async function removeLeftover(folder: string, name: string): Promise<void> {
  try {
    using held = await hold(Buffer.from(folder, 'latin1'), HOLD_FOLDER)
    await removeTree({ folder: held, name })
  } catch (error) {
    // Moved or gone meanwhile, or no longer ours to change: it stays hidden, and the start does not depend on it.
    if (errorWord(error) === undefined) throw error
  }
}
