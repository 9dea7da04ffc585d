import { Type } from 'typebox'
import { ArrivalView } from '../../domain/shares/share-terms.ts'
import { LinkUploadView } from '../../domain/uploads/upload.ts'
import { NewShare, ShareChange, ShareDetails, ShareDuration, ShareView } from '../../domain/shares/share.ts'
import { operation, PathParams } from '../operation.ts'
const HashParams = Type.Object({ hash: Type.String({ minLength: 1, maxLength: 64 }) })

const DetailsQuery = Type.Object({
  details: Type.Optional(
    Type.String({ description: '"true" adds the owner, how often it was opened and the state of the target' }),
  ),
})

export const listShares = operation({
  id: 'shares.list',
  method: 'GET',
  path: '/api/shares',
  access: 'user',
  tokens: true,
  summary: 'Your public links; those of all users for administrators',
  query: Type.Object({
    ...DetailsQuery.properties,
    expired: Type.Optional(Type.String({ description: '"true" adds those that expired within the last 30 days' })),
  }),
  replies: { 200: Type.Union([Type.Array(ShareView), Type.Array(ShareDetails)]), 403: null },
})

export const getShare = operation({
  id: 'shares.get',
  method: 'GET',
  path: '/api/shares/:hash',
  access: 'user',
  tokens: true,
  summary: 'One public link with all details',
  params: HashParams,
  replies: { 200: ShareDetails, 403: null, 404: null },
})

export const listArrivals = operation({
  id: 'shares.arrivals',
  method: 'GET',
  path: '/api/shares/:hash/arrivals',
  access: 'user',
  tokens: true,
  summary: 'What visitors have sent by a public link, newest first; up to 500 files',
  params: HashParams,
  replies: { 200: Type.Array(ArrivalView), 403: null, 404: null },
})

export const seeArrivals = operation({
  id: 'shares.see',
  method: 'PUT',
  path: '/api/shares/:hash/seen',
  access: 'user',
  tokens: true,
  summary: 'Count what visitors have sent by a public link as seen, on all devices of its owner',
  params: HashParams,
  body: Type.Object({
    until: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Unix seconds: what arrived until then',
    }),
  }),
  replies: { 204: null, 400: null, 403: null, 404: null },
})

export const listLinkUploads = operation({
  id: 'shares.uploads',
  method: 'GET',
  path: '/api/shares/:hash/uploads',
  access: 'user',
  tokens: true,
  summary: 'What visitors have only begun to send by a public link, oldest first',
  params: HashParams,
  replies: { 200: Type.Array(LinkUploadView), 403: null, 404: null },
})

export const cancelLinkUpload = operation({
  id: 'shares.cancelUpload',
  method: 'DELETE',
  path: '/api/shares/:hash/uploads/:id',
  access: 'user',
  tokens: true,
  summary: 'Cancel what a visitor has only begun to send; a running request of the visitor ends',
  params: Type.Object({ ...HashParams.properties, id: Type.String({ minLength: 1, maxLength: 64 }) }),
  replies: { 204: null, 403: null, 404: null },
})

export const updateShare = operation({
  id: 'shares.update',
  method: 'PUT',
  path: '/api/shares/:hash',
  access: 'user',
  tokens: true,
  summary:
    'Change the expiry, password or terms of a public link, or confirm its target; omitted fields stay as they are',
  params: HashParams,
  body: ShareChange,
  replies: { 200: ShareDetails, 400: null, 403: null, 404: null },
})

export const listSharesOfPath = operation({
  id: 'shares.ofPath',
  method: 'GET',
  path: '/api/share/*',
  access: 'user',
  tokens: true,
  summary: 'The public links of a file or folder',
  params: PathParams,
  query: DetailsQuery,
  replies: { 200: Type.Union([Type.Array(ShareView), Type.Array(ShareDetails)]), 403: null },
})

export const createShare = operation({
  id: 'shares.create',
  method: 'POST',
  path: '/api/share/*',
  access: 'user',
  tokens: true,
  summary: 'Create a public link; expiry is read from the body, else from the query',
  params: PathParams,
  query: ShareDuration,
  body: NewShare,
  replies: { 200: ShareView, 400: null, 403: null, 404: null, 409: null },
})

export const removeShare = operation({
  id: 'shares.remove',
  method: 'DELETE',
  path: '/api/share/*',
  access: 'user',
  tokens: true,
  summary: 'Remove a public link; the path is its hash',
  params: PathParams,
  replies: { 200: null, 400: null, 403: null, 404: null },
})

export const removeShares = operation({
  id: 'shares.removeMany',
  method: 'POST',
  path: '/api/shares',
  access: 'user',
  tokens: true,
  summary: 'Remove many public links with one request: all of them, or none if one belongs to another user',
  body: Type.Object({
    remove: Type.Array(HashParams.properties.hash, {
      maxItems: 10_000,
      description: 'Their hashes. Links that do not exist any more are no error',
    }),
  }),
  replies: { 204: null, 400: null, 403: null },
})
