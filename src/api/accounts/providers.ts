import { Type } from 'typebox'
import {
  NewProvider,
  ProviderChange,
  ProviderTest,
  ProviderTestInput,
  ProviderView,
} from '../../domain/accounts/provider-view.ts'
import { operation } from '../operation.ts'

const params = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const listProviders = operation({
  id: 'providers.list',
  method: 'GET',
  path: '/api/providers',
  access: 'admin',
  tokens: true,
  summary: 'Sign-in providers, in the order of their buttons',
  replies: { 200: Type.Array(ProviderView), 403: null },
})

export const addProvider = operation({
  id: 'providers.add',
  method: 'POST',
  path: '/api/providers',
  access: 'admin',
  summary: 'Add a sign-in provider',
  body: NewProvider,
  replies: { 200: ProviderView, 400: null, 403: null, 409: null, 429: null },
})

export const changeProvider = operation({
  id: 'providers.change',
  method: 'PATCH',
  path: '/api/providers/:id',
  access: 'admin',
  summary: 'Change a sign-in provider; switching it off ends the sessions of its people',
  params,
  body: ProviderChange,
  replies: { 200: ProviderView, 400: null, 403: null, 404: null, 429: null },
})

export const removeProvider = operation({
  id: 'providers.remove',
  method: 'DELETE',
  path: '/api/providers/:id',
  access: 'admin',
  summary: 'Remove a sign-in provider; its people keep their accounts, and their sessions end',
  params,
  body: Type.Object({ current_password: Type.Optional(Type.String({ maxLength: 4096 })) }),
  replies: { 204: null, 400: null, 403: null, 404: null, 429: null },
})

export const testProvider = operation({
  id: 'providers.test',
  method: 'POST',
  path: '/api/providers/:id/test',
  access: 'admin',
  summary: 'Try a provider step by step, and see what a set of claims would give; nothing is changed',
  params,
  body: ProviderTestInput,
  replies: { 200: ProviderTest, 400: null, 403: null, 404: null, 501: null },
})

export const startSignIn = operation({
  id: 'providers.start',
  method: 'GET',
  path: '/api/sign-in/:id',
  access: 'public',
  summary: 'Go to the sign-in page of a provider',
  params,
  query: Type.Object({ to: Type.Optional(Type.String({ maxLength: 8192 })) }),
  replies: { 302: null },
})

export const finishSignIn = operation({
  id: 'providers.callback',
  method: 'GET',
  path: '/api/sign-in/:id/callback',
  access: 'public',
  summary: 'Where the provider sends the browser back to; goes on to the page',
  params,
  replies: { 302: null },
})

export const endByProvider = operation({
  id: 'providers.logout',
  method: 'POST',
  path: '/api/sign-in/:id/logout',
  access: 'public',
  summary: 'For providers: end the sessions that a logout token names',
  params,
  body: Type.Object({ logout_token: Type.String({ minLength: 1, maxLength: 16_384 }) }),
  bodyKind: 'form',
  replies: { 200: null, 400: null, 503: null },
})

export const startLink = operation({
  id: 'providers.link',
  method: 'POST',
  path: '/api/sign-in/:id/link',
  access: 'user',
  summary: 'Get the address at a provider where you link your account to it',
  params,
  body: Type.Object({
    to: Type.Optional(Type.String({ maxLength: 8192 })),
    current_password: Type.Optional(Type.String({ maxLength: 4096 })),
  }),
  replies: { 200: Type.Object({ url: Type.String() }), 400: null, 403: null, 404: null, 429: null, 503: null },
})
