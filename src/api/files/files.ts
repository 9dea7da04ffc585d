import { Type } from 'typebox'
import { FolderSizes, FlatResource, FolderSize, ItemCount, Listing, Resource } from '../../domain/files/resource.ts'
import { operation, PathParams } from '../operation.ts'

export const getResource = operation({
  id: 'files.get',
  method: 'GET',
  path: '/api/resources/*',
  access: 'user',
  tokens: true,
  summary: 'A folder with its entries, or a file with its text content or checksum',
  params: PathParams,
  query: Type.Object({
    checksum: Type.Optional(Type.String()),
    resolution: Type.Optional(Type.String({ description: 'true adds the width and height of an image' })),
  }),
  replies: { 200: Type.Union([Listing, Resource]), 202: null, 400: null, 403: null, 404: null, 413: null, 503: null },
})

export const getRecursive = operation({
  id: 'files.recursive',
  method: 'GET',
  path: '/api/resources/recursive/*',
  access: 'user',
  tokens: true,
  summary: 'Everything below a folder as one flat list',
  params: PathParams,
  replies: { 200: Type.Array(FlatResource), 400: null, 403: null, 404: null },
})

export const countItems = operation({
  id: 'files.count',
  method: 'GET',
  path: '/api/count/*',
  access: 'user',
  tokens: true,
  summary: 'Number of entries of a folder',
  params: PathParams,
  replies: { 200: ItemCount, 400: null, 403: null, 404: null },
})

export const measureResource = operation({
  id: 'files.measure',
  method: 'GET',
  path: '/api/measure/*',
  access: 'user',
  tokens: true,
  summary: 'Number and size of all files below a folder',
  params: PathParams,
  replies: { 200: FolderSize, 400: null, 403: null, 404: null },
})

export const getFolderSizes = operation({
  id: 'files.sizes',
  method: 'GET',
  path: '/api/sizes/*',
  access: 'user',
  tokens: true,
  summary: 'Sizes of the folders in a folder, as far as they are known; a job counts the rest if that takes long',
  params: PathParams,
  query: Type.Object({
    measure: Type.Optional(Type.String({ description: 'true counts those that are unknown or outdated' })),
    notable: Type.Optional(
      Type.String({ description: 'true adds the total, the 100 largest files and the 100 oldest ones' }),
    ),
  }),
  replies: { 200: FolderSizes, 400: null, 403: null, 404: null },
})
