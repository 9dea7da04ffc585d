import { openRoots } from './open-roots.ts'
import { openServedFolder } from './served-folder.ts'
import { isFilemgrError } from '../domain/errors.ts'
import { mountOf, type Root } from '../domain/server/root.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import { openLater } from '../storage/mounted-roots.ts'
import { silentLogger } from '../platform/logging/logger.ts'
import { StagedNames } from '../storage/reserved-names.ts'
import { storagePathOf } from '../storage/storage.ts'
import type { StoreDocument } from '../store/document.ts'

/** The roots of a store that cannot be opened now, and why. Changes nothing. */
export async function awayRoots(
  document: Readonly<StoreDocument>,
  options: ServerOptions,
): Promise<{ readonly root: Root; readonly problem: string }[]> {
  const served = { staged: new StagedNames() }
  const { opened: storage, close } = openRoots({
    store: { snapshot: () => document, onChange: () => () => undefined },
    options,
    files: openLater(async () => await openServedFolder(options.root, served)),
    served: async () => served,
    log: silentLogger,
  })
  await using _closing = close
  // Side by side: each disk may be waited for.
  const found = await Promise.all(
    document.roots.map(async (root) => {
      try {
        const scope = await storage.openScope(storagePathOf(mountOf(root.id)), 'inside')
        scope[Symbol.dispose]()
        return []
      } catch (error) {
        if (!isFilemgrError(error)) throw error
        return [{ root, problem: error.message }]
      }
    }),
  )
  return found.flat()
}
