import { Type } from 'typebox'
import { SignInChange, SignInView } from '../domain/auth-method.ts'
import { WireSettings } from '../domain/settings.ts'
import { operation } from './operation.ts'

/** Each key of the answer, with a value that the service checks: old clients leave some empty and expect them filled in. */
const SettingsWrite = Type.Object(
  Object.fromEntries(Object.keys(WireSettings.properties).map((key) => [key, Type.Optional(Type.Unknown())])),
)

export const getSettings = operation({
  id: 'settings.get',
  method: 'GET',
  path: '/api/settings',
  access: 'admin',
  summary: 'The live settings, with an ETag',
  replies: { 200: WireSettings, 403: null },
})

export const updateSettings = operation({
  id: 'settings.update',
  method: 'PUT',
  path: '/api/settings',
  access: 'admin',
  summary: 'Replace the live settings as a whole; If-Match guards against overwriting another change',
  body: SettingsWrite,
  replies: { 200: null, 400: null, 403: null, 412: null },
})

export const getSignInSettings = operation({
  id: 'settings.getSignIn',
  method: 'GET',
  path: '/api/settings/auth',
  access: 'admin',
  summary: 'How people sign in; without the secret of the captcha',
  replies: { 200: SignInView, 403: null },
})

export const updateSignInSettings = operation({
  id: 'settings.updateSignIn',
  method: 'PUT',
  path: '/api/settings/auth',
  access: 'admin',
  summary: 'Change how people sign in; refused unless the one who asks would be let in by it',
  body: SignInChange,
  replies: { 200: SignInView, 400: null, 403: null },
})
