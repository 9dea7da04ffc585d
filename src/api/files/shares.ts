import { Type } from 'typebox'
import { NewShare, ShareChange, ShareDetails, ShareDuration, ShareView } from '../../domain/access/share.ts'
import { operation, PathParams } from '../operation.ts'
const HashParams = Type.Object({ hash: Type.String({ minLength: 1, maxLength: 64 }) })

const DetailsQuery = Type.Object({
  details: Type.Optional(
    Type.String({ description: '"true" adds the owner, the openings and the state of the target' }),
  ),
})

export const listShares = operation({
  id: 'shares.list',
  method: 'GET',
  path: '/api/shares',
  access: 'user',
  summary: 'One’s own public links; for an administrator those of all users',
  query: DetailsQuery,
  replies: { 200: Type.Union([Type.Array(ShareView), Type.Array(ShareDetails)]), 403: null },
})

export const getShare = operation({
  id: 'shares.get',
  method: 'GET',
  path: '/api/shares/:hash',
  access: 'user',
  summary: 'One public link with all that is known about it',
  params: HashParams,
  replies: { 200: ShareDetails, 403: null, 404: null },
})

export const updateShare = operation({
  id: 'shares.update',
  method: 'PUT',
  path: '/api/shares/:hash',
  access: 'user',
  summary: 'Change the end or the password of a public link, or confirm its target; what is absent stays',
  params: HashParams,
  body: ShareChange,
  replies: { 200: ShareDetails, 400: null, 403: null, 404: null },
})

export const listSharesOfPath = operation({
  id: 'shares.ofPath',
  method: 'GET',
  path: '/api/share/*',
  access: 'user',
  summary: 'The public links of one file or folder',
  params: PathParams,
  query: DetailsQuery,
  replies: { 200: Type.Union([Type.Array(ShareView), Type.Array(ShareDetails)]), 403: null },
})

export const createShare = operation({
  id: 'shares.create',
  method: 'POST',
  path: '/api/share/*',
  access: 'user',
  summary: 'Make a public link; its end is read from the body, else from the query',
  params: PathParams,
  query: ShareDuration,
  body: NewShare,
  replies: { 200: ShareView, 400: null, 403: null, 404: null },
})

export const removeShare = operation({
  id: 'shares.remove',
  method: 'DELETE',
  path: '/api/share/*',
  access: 'user',
  summary: 'Take a public link back; the path is its hash',
  params: PathParams,
  replies: { 200: null, 400: null, 403: null, 404: null },
})
