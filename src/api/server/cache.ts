import { Type } from 'typebox'
import { operation } from '../operation.ts'

const CacheSize = Type.Object({ entries: Type.Integer(), bytes: Type.Integer() })

export const getCache = operation({
  id: 'cache.get',
  method: 'GET',
  path: '/api/cache',
  access: 'admin',
  tokens: true,
  summary: 'Number and size of cached thumbnails',
  replies: { 200: CacheSize, 403: null },
})

export const clearCache = operation({
  id: 'cache.clear',
  method: 'DELETE',
  path: '/api/cache',
  access: 'admin',
  tokens: true,
  summary: 'Remove all cached thumbnails; they are created again when needed',
  replies: { 200: CacheSize, 403: null },
})
