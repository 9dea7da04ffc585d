import { Type } from 'typebox'
import { ServerOptions } from '../../domain/server/server-options.ts'
import { ShareTermsChange } from '../../domain/shares/share-terms.ts'
import { GrantChange, GrantView, NewGrant } from '../../domain/shares/grant.ts'
import { ShareDetails, ShareView } from '../../domain/shares/share.ts'
import { OfUser, operatorOperation, UserName } from '../operation.ts'
import { createGrant, listGrants, updateGrant } from './grants.ts'
import { createShare, getShare, listShares, removeShare, updateShare } from './shares.ts'

const { params: HashParams } = getShare

/** Beyond what the page offers, which takes at most 68 years. */
const Expire = Type.Integer({ minimum: 0, description: 'Unix seconds; 0 = permanent' })

export const listSharesAsOperator = operatorOperation({
  id: listShares.id,
  access: 'operator',
  reads: true,
  summary: 'The public links of all users, or of one, with details',
  query: Type.Object({
    ...OfUser.properties,
    expired: Type.Optional(Type.Boolean({ description: 'Also those that expired within the last 30 days' })),
  }),
  replies: { 200: Type.Array(ShareDetails), 404: null },
})

export const createShareAsOperator = operatorOperation({
  id: createShare.id,
  access: 'operator',
  summary: 'Create a public link to a path as its owner sees it; the owner is by default the first administrator',
  params: Type.Object({ path: Type.String() }),
  body: Type.Object({
    user: Type.Optional(UserName),
    password: Type.Optional(Type.String()),
    expire: Expire,
    slug: Type.Optional(Type.String({ description: 'A chosen address instead of an unguessable one' })),
    terms: Type.Optional(ShareTermsChange),
  }),
  replies: { 200: ShareDetails, 400: null, 403: null, 404: null, 409: null },
})

export const updateShareAsOperator = operatorOperation({
  id: updateShare.id,
  access: 'operator',
  summary: 'Change a public link; omitted fields stay as they are',
  params: HashParams,
  body: Type.Object({
    password: Type.Optional(Type.String({ description: '"" removes the password' })),
    expire: Type.Optional(Expire),
    rebind: Type.Optional(Type.Boolean({ description: 'Confirm the current target' })),
    terms: Type.Optional(ShareTermsChange),
  }),
  replies: { 200: ShareDetails, 400: null, 403: null, 404: null },
})

export const removeShareAsOperator = operatorOperation({
  id: removeShare.id,
  access: 'operator',
  summary: 'Remove a public link; the reply is how it was',
  params: HashParams,
  replies: { 200: ShareDetails, 404: null },
})

export const pruneShares = operatorOperation({
  id: 'shares.prune',
  access: 'operator',
  summary: 'Remove all expired links; the reply is what they were',
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean()) }),
  replies: { 200: Type.Array(ShareView) },
})

const { publicUrl, baseURL, socket, address, port, cert } = ServerOptions.properties

export const linkOptions = operatorOperation({
  id: 'shares.linkOptions',
  access: 'operator',
  reads: true,
  summary: 'The server options that the addresses of links depend on',
  replies: { 200: Type.Object({ publicUrl, baseURL, socket, address, port, cert }) },
})

export const listGrantsAsOperator = operatorOperation({
  id: listGrants.id,
  access: 'operator',
  reads: true,
  summary: 'What all users, or one, share with others on this server',
  query: OfUser,
  replies: { 200: Type.Array(GrantView), 404: null },
})

const { to, allows } = NewGrant.properties

export const createGrantAsOperator = operatorOperation({
  id: createGrant.id,
  access: 'operator',
  summary: 'Share a path as its owner sees it with a user, or with all members of a group',
  params: Type.Object({ path: Type.String() }),
  body: Type.Object({ user: Type.Optional(UserName), to, allows, expires: Expire }),
  replies: { 200: GrantView, 400: null, 403: null, 404: null, 409: null },
})

export const updateGrantAsOperator = operatorOperation({
  id: updateGrant.id,
  access: 'operator',
  summary: 'Change what recipients may do, or until when; omitted fields stay as they are',
  params: updateGrant.params,
  body: Type.Object({ allows: GrantChange.properties.allows, expires: Type.Optional(Expire) }),
  replies: { 200: GrantView, 400: null, 403: null, 404: null },
})
