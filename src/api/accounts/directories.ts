import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { WaysToSignIn } from '../../domain/accounts/provider-view.ts'
import { login } from './auth.ts'

const params = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const signInAtDirectory = operation({
  id: 'directories.signIn',
  method: 'POST',
  path: '/api/sign-in/:id',
  access: 'public',
  summary: 'Sign in with the password of a directory; the reply is the bare token',
  params,
  body: login.body,
  replies: { 200: Type.String(), 403: null, 404: null, 429: null, 503: null },
})

export const linkAtDirectory = operation({
  id: 'directories.link',
  method: 'POST',
  path: '/api/sign-in/:id/person',
  access: 'user',
  summary: 'Link your own account to the person of a directory whose password you know',
  params,
  body: Type.Object({
    ...login.body.properties,
    current_password: Type.Optional(Type.String({ maxLength: 4096, description: 'Of your account here' })),
  }),
  replies: { 200: WaysToSignIn, 400: null, 403: null, 404: null, 409: null, 429: null, 503: null },
})
