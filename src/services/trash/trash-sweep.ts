import { isFilemgrError } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server-options.ts'
import { cleanVirtualPath } from '../../domain/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import { storagePathOf, type Storage } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { sweepEach } from '../sweep-each.ts'

export interface TrashSweepDeps {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly storage: Pick<Storage, 'openScope'>
  readonly clock: Clock
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks'>
}

const DAY = 24 * 60 * 60 * 1000

/** Removes for good what has been in the trash for longer than the setting says, in the scopes of all users. */
export function createTrashSweep({ store, storage, clock, options }: TrashSweepDeps) {
  return async (signal?: AbortSignal): Promise<number> => {
    const { users, settings } = store.snapshot()
    const { days } = settings.trash
    // Whoever switches the trash off does not say that what lies in it is to go.
    if (days === 0 || options.readOnly) return 0
    const scopes = new Set(users.map((user) => cleanVirtualPath(user.scope)))
    return await sweepEach(scopes, async (scope) => {
      try {
        await using opened = await storage.openScope(
          storagePathOf(scope),
          options.followExternalSymlinks ? 'follow' : 'inside',
        )
        return await opened.trash.sweep(clock.now() - days * DAY, signal)
      } catch (error) {
        // A home folder that is not there has no trash.
        if (isFilemgrError(error, 'NOT_FOUND')) return 0
        throw error
      }
    })
  }
}
