import type { StoreLog } from './store-log.ts'

type ChangeListener<D> = (now: Readonly<D>, before: Readonly<D>) => void

/** Those who want to hear of each new snapshot. What one of them throws is logged and stops nobody. */
export function createChangeListeners<D>(log: StoreLog) {
  const listeners = new Set<ChangeListener<D>>()
  return {
    add(listener: ChangeListener<D>): () => void {
      const added: ChangeListener<D> = (now, before) => listener(now, before)
      listeners.add(added)
      return () => void listeners.delete(added)
    },
    tell(now: Readonly<D>, before: Readonly<D>): void {
      for (const listener of listeners) {
        try {
          listener(now, before)
        } catch (error) {
          log.error(
            `A listener to changes of the store failed: ${error instanceof Error ? error.stack : String(error)}`,
          )
        }
      }
    },
  }
}
