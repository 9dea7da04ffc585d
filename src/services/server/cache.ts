import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import type { ByteCache, CacheSize } from '../../platform/cache/byte-cache.ts'

/** The thumbnail cache, for administrators. */
export function createPreviewCache(cache: ByteCache) {
  return {
    /** @throws FORBIDDEN */
    async size(actor: Actor): Promise<CacheSize> {
      requireAdmin(actor, 'cache.manage')
      return await cache.size()
    },
    /** @returns what was removed. @throws FORBIDDEN */
    async clear(actor: Actor): Promise<CacheSize> {
      requireAdmin(actor, 'cache.manage')
      return await cache.clear()
    },
  }
}
