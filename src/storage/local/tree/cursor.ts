import { constants, type BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { at, hold, HOLD_FOLDER, type Name, type Handle } from '../handle.ts'
import { statsOf } from '../resolve.ts'

/** Folders above that are held, so that one may be moved while somebody is in it. */
const MOST_HELD = 8

type Identity = Pick<BigIntStats, 'dev' | 'ino'>

/** Goes down into folders and up again. Far above, folders are reached by ".." and not held: depth costs no descriptors. */
export class Cursor implements Disposable {
  #here: Handle
  readonly #held: Handle[] = []
  readonly #above: Identity[] = []

  constructor(top: Handle) {
    this.#here = top.retain()
  }

  get here(): Handle {
    return this.#here
  }

  /** @param child held, or a name here that is no link */
  async down(child: Handle | Name): Promise<void> {
    const isName = typeof child === 'string' || Buffer.isBuffer(child)
    using next = isName ? await hold(at(this.#here, child), HOLD_FOLDER | constants.O_NOFOLLOW) : child.retain()
    const { dev, ino } = await statsOf(this.#here)
    this.#above.push({ dev, ino })
    this.#held.push(this.#here)
    if (this.#held.length > MOST_HELD) this.#held.shift()?.[Symbol.dispose]()
    this.#here = next.retain()
  }

  /** @throws CONFLICT when the folder was moved elsewhere, and the way back is not held */
  async up(): Promise<void> {
    const above = this.#above.pop()
    const next = this.#held.pop() ?? (await parentOf(this.#here, above))
    this.#here[Symbol.dispose]()
    this.#here = next
  }

  [Symbol.dispose](): void {
    this.#here[Symbol.dispose]()
    for (const handle of this.#held.splice(0)) handle[Symbol.dispose]()
  }
}

/** A folder that was moved out of the tree would lead the walk to where its mover likes. */
async function parentOf(folder: Handle, expected: Identity | undefined): Promise<Handle> {
  using parent = await hold(`${at(folder).toString()}/..`, HOLD_FOLDER)
  const { dev, ino } = await statsOf(parent)
  if (expected?.dev !== dev || expected.ino !== ino) fail('CONFLICT', 'a folder was moved meanwhile: try again')
  return parent.retain()
}
