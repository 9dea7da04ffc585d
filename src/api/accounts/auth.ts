import { Type } from 'typebox'
import { Assertion, FactorProof, PasskeyOptions } from '../../domain/accounts/passkey-messages.ts'
import { operation } from '../operation.ts'

const Credentials = Type.Object({
  username: Type.String({ maxLength: 1024 }),
  password: Type.String({ maxLength: 4096 }),
  recaptcha: Type.Optional(Type.String({ maxLength: 4096 })),
})

export const login = operation({
  id: 'auth.login',
  method: 'POST',
  path: '/api/login',
  anyMethod: true,
  access: 'public',
  summary: 'Sign in; the reply is the bare token',
  body: Credentials,
  replies: { 200: Type.String(), 401: null, 403: null, 409: null, 429: null, 503: null },
})

export const signup = operation({
  id: 'auth.signup',
  method: 'POST',
  path: '/api/signup',
  anyMethod: true,
  access: 'public',
  summary: 'Create an account, if sign-up is on',
  body: Type.Partial(Credentials),
  replies: { 200: null, 400: null, 403: null, 405: null, 409: null, 429: null, 503: null },
})

export const renew = operation({
  id: 'auth.renew',
  method: 'POST',
  path: '/api/renew',
  anyMethod: true,
  access: 'user',
  setsUpFactor: true,
  summary: 'Exchange the token for a new one',
  replies: { 200: Type.String(), 401: null },
})

export const getPasswordRules = operation({
  id: 'auth.passwordRules',
  method: 'GET',
  path: '/api/password-rules',
  access: 'public',
  summary: 'Requirements for new passwords',
  replies: { 200: Type.Object({ minimumLength: Type.Integer({ description: 'In UTF-8 bytes' }) }) },
})

export const logout = operation({
  id: 'auth.logout',
  method: 'POST',
  path: '/api/logout',
  access: 'user',
  setsUpFactor: true,
  summary: 'End this session and clear the cookie; the reply has an address if it should be ended at the provider, too',
  replies: { 200: Type.Object({ url: Type.String() }), 204: null, 401: null },
})

export const redeemCode = operation({
  id: 'auth.redeem',
  method: 'POST',
  path: '/api/login/code',
  access: 'public',
  summary: 'Exchange a one-time code for a token',
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 128 }) }),
  replies: { 200: Type.String(), 403: null, 429: null, 503: null },
})

export const redeemProvider = operation({
  id: 'auth.redeemProvider',
  method: 'POST',
  path: '/api/sign-in/:id/session',
  access: 'public',
  summary: 'Exchange the code from a sign-in at a provider for a token',
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 128 }) }),
  replies: { 200: Type.String(), 403: null, 404: null, 429: null, 503: null },
})

const Challenge = Type.String({ minLength: 1, maxLength: 128, description: 'Of the reply to the first step' })

export const showFactor = operation({
  id: 'auth.factor',
  method: 'POST',
  path: '/api/login/factor',
  access: 'public',
  summary: 'The second step of signing in; the reply is the bare token',
  body: Type.Object({
    challenge: Challenge,
    ...FactorProof,
    trust: Type.Optional(
      Type.Boolean({ description: 'Do not ask this browser again; only for the page, which can keep a cookie' }),
    ),
  }),
  replies: { 200: Type.String(), 401: null, 403: null, 429: null, 503: null },
})

export const askPasskey = operation({
  id: 'auth.askPasskey',
  method: 'POST',
  path: '/api/login/passkey/options',
  access: 'public',
  summary: 'What a passkey must sign to sign in: alone, or with a challenge as the second step',
  body: Type.Object({ challenge: Type.Optional(Challenge) }),
  replies: { 200: PasskeyOptions, 401: null, 403: null, 503: null },
})

export const signInByPasskey = operation({
  id: 'auth.passkey',
  method: 'POST',
  path: '/api/login/passkey',
  access: 'public',
  summary: 'Sign in with a passkey alone; the reply is the bare token',
  body: Type.Object({ passkey: Assertion }),
  replies: { 200: Type.String(), 403: null, 429: null, 503: null },
})
