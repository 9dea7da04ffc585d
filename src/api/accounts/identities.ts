import { Type } from 'typebox'
import { ProviderIdentity } from '../../domain/accounts/provider-identity.ts'
import { WaysToSignIn } from '../../domain/accounts/provider-view.ts'
import { IdParams, operation } from '../operation.ts'

const { issuer, subject, label } = ProviderIdentity.properties
const current_password = Type.Optional(Type.String({ maxLength: 4096, description: 'Your own' }))

export const listIdentities = operation({
  id: 'identities.list',
  method: 'GET',
  path: '/api/users/:id/identities',
  access: 'user',
  summary: 'The sign-in methods of an account: your own, or any for administrators',
  params: IdParams,
  replies: { 200: WaysToSignIn, 403: null, 404: null },
})

export const linkIdentity = operation({
  id: 'identities.link',
  method: 'POST',
  path: '/api/users/:id/identities',
  access: 'admin',
  summary: 'Link an account to a person at a provider',
  params: IdParams,
  body: Type.Object({ provider: Type.String({ maxLength: 64 }), subject, label: Type.Optional(label) }),
  replies: { 200: WaysToSignIn, 400: null, 403: null, 404: null, 409: null },
})

export const linkOwnIdentity = operation({
  id: 'identities.linkOwn',
  method: 'POST',
  path: '/api/sign-in/:id/identity',
  access: 'user',
  summary: 'Link your own account to the person whom a provider has just proven',
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 128 }) }),
  replies: { 200: WaysToSignIn, 400: null, 403: null, 404: null, 409: null, 429: null },
})

export const unlinkIdentity = operation({
  id: 'identities.unlink',
  method: 'DELETE',
  path: '/api/users/:id/identities',
  access: 'user',
  summary: 'Unlink an account; the sessions that began there end',
  params: IdParams,
  body: Type.Object({ issuer, subject, current_password }),
  replies: { 200: WaysToSignIn, 400: null, 403: null, 404: null, 409: null, 429: null },
})
