import type { Actor } from '../domain/actor.ts'
import type { CacheSize } from '../domain/upkeep.ts'
import { requireRight } from '../domain/permissions.ts'
import type { ByteCache } from '../platform/byte-cache.ts'
/** Looking after the thumbnails that are kept. */
export function createCacheUpkeep(cache: Pick<ByteCache, 'size' | 'clear'>) {
  const requireManager = (actor: Actor) => {
    if (actor.kind === 'user') requireRight(actor.user.perm, 'cache.manage')
  }
  return {
    /** @throws FORBIDDEN */
    async size(actor: Actor): Promise<CacheSize> {
      requireManager(actor)
      return await cache.size()
    },
    /** @returns what was there. @throws FORBIDDEN */
    async clear(actor: Actor): Promise<CacheSize> {
      requireManager(actor)
      return await cache.clear()
    },
  }
}

export type CacheUpkeep = ReturnType<typeof createCacheUpkeep>
