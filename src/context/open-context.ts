import { createContext, type Context } from '../context.ts'
import { resolveOptions, type OptionInput } from '../options.ts'
import type { Logger } from '../platform/logger.ts'
import { openStores } from '../store/open-stores.ts'

export interface ContextRequest extends Omit<OptionInput, 'stored'> {
  /** The data folder. */
  readonly folder: string
  readonly log: Logger
}

/**
 * Opens the data folder for one command, whether or not a daemon runs on it.
 *
 * @throws NOT_FOUND when there is no store; STORE_INVALID, STORE_BUSY; INVALID_INPUT for a wrong start-up value
 */
export async function openContext({ folder, log, ...input }: ContextRequest): Promise<Context> {
  const stores = await openStores({ folder, log })
  try {
    const { options, sources } = resolveOptions({ ...input, stored: stores.store.snapshot().server })
    return await createContext({ options, optionSources: sources, stores, dataFolder: folder, log })
  } catch (error) {
    await stores[Symbol.asyncDispose]()
    throw error
  }
}
