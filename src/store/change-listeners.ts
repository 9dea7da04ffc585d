import type { StoreLog } from './store-log.ts'

/** Those who want to hear of each change. What one of them throws is logged and stops nobody. */
export function createChangeListeners<A extends unknown[]>(log: StoreLog) {
  const listeners = new Set<(...told: A) => void>()
  return {
    add(listener: (...told: A) => void): () => void {
      const added = (...told: A) => listener(...told)
      listeners.add(added)
      return () => void listeners.delete(added)
    },
    tell(...told: A): void {
      for (const listener of listeners) {
        try {
          listener(...told)
        } catch (error) {
          log.error(
            `A listener to changes of the store failed: ${error instanceof Error ? error.stack : String(error)}`,
          )
        }
      }
    },
  }
}
