import { CacheSize } from '../domain/upkeep.ts'
import { operation } from './operation.ts'
export const getCache = operation({
  id: 'cache.get',
  method: 'GET',
  path: '/api/cache',
  access: 'admin',
  summary: 'How many thumbnails are kept, and their bytes',
  replies: { 200: CacheSize, 403: null },
})

export const clearCache = operation({
  id: 'cache.clear',
  method: 'DELETE',
  path: '/api/cache',
  access: 'admin',
  summary: 'Remove all thumbnails that are kept; they are made again when they are asked for',
  replies: { 200: CacheSize, 403: null },
})
