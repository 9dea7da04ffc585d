import { setTimeout as sleep } from 'node:timers/promises'
import { isFilemgrError } from '../../../domain/errors.ts'
import { ROOT } from '../../../domain/files/virtual-path.ts'
import type { RootId } from '../../../domain/ids.ts'
import { mountOf, type RootView } from '../../../domain/server/root.ts'
import { type Storage, storagePathOf } from '../../../storage/storage.ts'

export type RootState = Pick<RootView, 'state' | 'problem' | 'total' | 'free'>

/** Milliseconds after which a disk that does not answer counts as away. */
const PATIENCE = 5000

/** How a root is at this moment, after a few seconds at most. A bucket has no size. */
export async function rootState(storage: Pick<Storage, 'openScope'>, id: RootId): Promise<RootState> {
  const looking = spaceOf(storage, id).then(
    (space): RootState => ({ state: 'here', ...space }),
    (error: unknown): RootState => {
      if (!isFilemgrError(error)) throw error
      return { state: 'away', problem: error.message }
    },
  )
  const silence: RootState = { state: 'away', problem: 'it does not answer' }
  return await Promise.race([looking, sleep(PATIENCE, silence, { ref: false })])
}

async function spaceOf(storage: Pick<Storage, 'openScope'>, id: RootId): Promise<Pick<RootState, 'total' | 'free'>> {
  using scope = await storage.openScope(storagePathOf(mountOf(id)), 'inside')
  const { total, used } = await scope.usage(ROOT)
  return total === 0 ? {} : { total, free: Math.max(0, total - used) }
}
