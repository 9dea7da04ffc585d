import { createContext } from '../context.ts'
import { OPERATOR } from '../domain/actor.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import type { Settings } from '../domain/settings.ts'
import type { DeepPartial } from '../services/merge.ts'
import { initialDocument } from '../services/setup.ts'
import { createStore, memoryStores } from '../store/open-stores.ts'
import type { StoreLog } from '../store/store-log.ts'
import { refuseExistingStore } from './first-start.ts'

export interface EmptyStoreInput {
  /** As they will be in force. */
  readonly options: ServerOptions
  /** Those to save. */
  readonly server: Partial<ServerOptions>
  /** Those that are not to be as on a new instance. */
  readonly settings: DeepPartial<Settings>
}

/**
 * A store without accounts, for scripts that add them afterwards. All values are checked before anything is written.
 *
 * @throws CONFLICT when there is a store; INVALID_INPUT, STORE_INVALID, NO_SPACE
 */
export async function createEmptyStore(
  folder: string,
  { options, server, settings }: EmptyStoreInput,
  log: StoreLog,
): Promise<void> {
  await refuseExistingStore(folder)
  const stores = memoryStores(initialDocument({ server }))
  await using context = await createContext({ options, stores })
  await context.services.settings.patch(OPERATOR, settings)
  await createStore(folder, structuredClone(context.store.snapshot()), log)
}
