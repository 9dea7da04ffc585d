import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { login } from './auth.ts'

export const signInAtDirectory = operation({
  id: 'directories.signIn',
  method: 'POST',
  path: '/api/sign-in/:id',
  access: 'public',
  summary: 'Sign in with the password of a directory; the reply is the bare token',
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  body: login.body,
  replies: { 200: Type.String(), 403: null, 404: null, 429: null, 503: null },
})
