import { openRoots } from './open-roots.ts'
import { openServedFolder } from './served-folder.ts'
import type { RootId } from '../domain/ids.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import { openLater } from '../storage/mounted-roots.ts'
import { rootState, type RootState } from '../services/server/roots/root-state.ts'
import { silentLogger } from '../platform/logging/logger.ts'
import { StagedNames } from '../storage/reserved-names.ts'
import type { StoreDocument } from '../store/document.ts'

/** How each root of a store is now, by id. Changes nothing. */
export async function rootStates(
  document: Readonly<StoreDocument>,
  options: ServerOptions,
): Promise<ReadonlyMap<RootId, RootState>> {
  if (document.roots.length === 0) return new Map()
  const served = { staged: new StagedNames() }
  const { opened: storage, close } = openRoots({
    store: { snapshot: () => document, onChange: () => () => undefined },
    options,
    files: openLater(async () => await openServedFolder(options.root, served)),
    served: async () => served,
    log: silentLogger,
  })
  await using _closing = close
  const states = document.roots.map(async ({ id }) => [id, await rootState(storage, id)] as const)
  return new Map(await Promise.all(states))
}
