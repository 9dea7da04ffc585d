import { clearCache, getCache } from '../../api/server/cache.ts'
import { handler } from '../handler.ts'

export const cacheHandlers = {
  get: handler(getCache, async ({ actor }, { services: { previewCache } }) => await previewCache.size(actor)),

  clear: handler(clearCache, async ({ actor }, { services: { previewCache } }) => await previewCache.clear(actor)),
}
