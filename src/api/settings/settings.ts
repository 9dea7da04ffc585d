import { Type, type TProperties, type TSchema, type TUnsafe } from 'typebox'
import { SignInChange, SignInView } from '../../domain/accounts/auth-method.ts'
import { OpenSettings, WireSettings } from '../../domain/settings/settings.ts'
import { operation } from '../operation.ts'

/**
 * The keys of a schema, without constraints: old clients write keys in any case and omit some, so the service normalises and
 * checks the value.
 */
function namesOf(schema: TSchema): TUnsafe<Whole> {
  const { properties } = schema as { properties?: TProperties }
  if (properties === undefined) return Type.Unsafe<Whole>({})
  const inner = Object.entries(properties).map(([name, property]) => [name, namesOf(property)] as const)
  return Type.Unsafe<Whole>({ properties: Object.fromEntries(inner) })
}

type Whole = Readonly<Record<string, unknown>>

export const getSettings = operation({
  id: 'settings.get',
  method: 'GET',
  path: '/api/settings',
  access: 'admin',
  tokens: true,
  summary: 'The settings, with an ETag',
  replies: { 200: WireSettings, 403: null },
})

export const updateSettings = operation({
  id: 'settings.update',
  method: 'PUT',
  path: '/api/settings',
  access: 'admin',
  tokens: true,
  summary: 'Replace all settings; If-Match prevents overwriting someone else’s change',
  body: namesOf(WireSettings),
  replies: { 200: null, 400: null, 403: null, 412: null },
})

export const getAllSettings = operation({
  id: 'settings.getAll',
  method: 'GET',
  path: '/api/settings/all',
  access: 'admin',
  tokens: true,
  summary: 'The settings including those unknown to old clients, with an ETag',
  replies: { 200: OpenSettings, 403: null },
})

export const updateAllSettings = operation({
  id: 'settings.updateAll',
  method: 'PUT',
  path: '/api/settings/all',
  access: 'admin',
  tokens: true,
  summary:
    'Replace all settings including those unknown to old clients; If-Match prevents overwriting someone else’s change',
  body: namesOf(OpenSettings),
  replies: { 200: null, 400: null, 403: null, 412: null },
})

export const getSignInSettings = operation({
  id: 'settings.getSignIn',
  method: 'GET',
  path: '/api/settings/auth',
  access: 'admin',
  tokens: true,
  summary: 'The sign-in settings, without the captcha secret',
  replies: { 200: SignInView, 403: null },
})

export const updateSignInSettings = operation({
  id: 'settings.updateSignIn',
  method: 'PUT',
  path: '/api/settings/auth',
  access: 'admin',
  summary: 'Change the sign-in settings; refused if they would lock you out',
  body: SignInChange,
  replies: { 200: SignInView, 400: null, 403: null, 429: null },
})
