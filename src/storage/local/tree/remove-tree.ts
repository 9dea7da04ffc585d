import { constants } from 'node:fs'
import { rename, rmdir, unlink } from 'node:fs/promises'
import type { Work } from '../../storage.ts'
import { errorWord } from '../os-error.ts'
import { stagedName } from '../own-names.ts'
import { at, hold, HOLD_FOLDER, type Name, type Pin } from '../pin.ts'
import { childrenOf } from './children.ts'
import { requireGoOn } from './go-on.ts'
import type { Location } from './location.ts'

/** Each level holds a descriptor; what lies deeper is brought up first. */
const DEEPEST_REMOVED = 48

/**
 * Removes a file, a link, or a folder with all in it; what links lead to stays. Each folder is held without following
 * before it is read, so that one swapped for a link meanwhile leads nowhere.
 */
export async function removeTree({ folder, name }: Location, work: Work = {}): Promise<void> {
  requireGoOn(work)
  if (await isUnlinked(folder, name)) {
    work.advance?.(0, 1)
    return
  }
  {
    using entry = await hold(at(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW)
    const removal = new Removal(entry, work)
    await removal.empty(entry, 0)
    await removal.emptyDeferred()
  }
  // Follows no link and takes only an empty folder: whatever stands there now, nothing else can be lost.
  await rmdir(at(folder, name))
}

class Removal {
  readonly #top: Pin
  readonly #work: Work
  readonly #deferred: string[] = []

  constructor(top: Pin, work: Work) {
    this.#top = top
    this.#work = work
  }

  async empty(folder: Pin, depth: number): Promise<void> {
    for (const name of await childrenOf(folder)) {
      requireGoOn(this.#work)
      if (await isUnlinked(folder, name)) this.#work.advance?.(0, 1)
      else if (depth < DEEPEST_REMOVED) await this.#removeFolder(folder, name, depth + 1)
      else await this.#defer(folder, name)
    }
  }

  /** What was brought up from too deep; emptying it may bring up more. */
  async emptyDeferred(): Promise<void> {
    for (let name = this.#deferred.pop(); name !== undefined; name = this.#deferred.pop()) {
      await this.#removeFolder(this.#top, name, 1)
    }
  }

  async #removeFolder(parent: Pin, name: Name, depth: number): Promise<void> {
    {
      using folder = await hold(at(parent, name), HOLD_FOLDER | constants.O_NOFOLLOW)
      await this.empty(folder, depth)
    }
    await rmdir(at(parent, name))
  }

  async #defer(folder: Pin, name: Name): Promise<void> {
    const newName = stagedName()
    await rename(at(folder, name), at(this.#top, newName))
    this.#deferred.push(newName)
  }
}

/** False for a folder. What is gone already counts as removed. */
async function isUnlinked(folder: Pin, name: Name): Promise<boolean> {
  try {
    await unlink(at(folder, name))
    return true
  } catch (error) {
    if (errorWord(error) === 'ENOENT') return true
    if (errorWord(error) === 'EISDIR' || errorWord(error) === 'EPERM') return false
    throw error
  }
}
