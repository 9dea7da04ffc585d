import { Patience, PATIENCE, stalled } from '../../platform/patience.ts'
import type { Location } from './tree/location.ts'
import { statsOf } from './resolve.ts'

/** One at a time for each name in a folder, whatever path led there. */
export class TargetLocks {
  readonly #last = new Map<string, Promise<void>>()

  /** Waits for its turn. Dispose of the result to let the next one in. @throws BUSY when the disk of the one before is stuck */
  async hold({ folder, name }: Location): Promise<Disposable> {
    const { dev, ino } = await statsOf(folder)
    const key = `${dev} ${ino} ${folded(name)}`
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(key)
    this.#last.set(key, over)
    const turn = {
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === over) this.#last.delete(key)
        resolve()
      },
    }
    const patience = Patience.current
    const overdue = setTimeout(() => patience?.lose(), PATIENCE)
    await before
    clearTimeout(overdue)
    if (patience?.isLost !== true) return turn
    turn[Symbol.dispose]()
    throw stalled()
  }
}

/** Names that some disk takes for one wait for each other on every disk: that costs a moment, and asking the disk would cost more. */
function folded(name: Location['name']): string {
  return name.toString().normalize('NFKD').toUpperCase().toLowerCase()
}
