import { Type } from 'typebox'
import { FactorsView, NewTotp, PasskeyName, RecoveryCodes, TrustedDevice } from '../../domain/accounts/factors.ts'
import { Attestation, Confirmation, PasskeyOptions } from '../../domain/accounts/passkey-messages.ts'
import { operation } from '../operation.ts'

/** What may be called although a second factor is required and not set up yet. */
const SETS_UP = { access: 'user', setsUpFactor: true } as const
const PasskeyParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 1364 }) })
const CHANGED = { 400: null, 403: null, 409: null, 429: null } as const

export const getFactors = operation({
  id: 'factors.get',
  method: 'GET',
  path: '/api/factors',
  ...SETS_UP,
  summary: 'Your second factors, and whether you must set one up',
  replies: { 200: FactorsView, 403: null },
})

export const beginTotp = operation({
  id: 'factors.beginTotp',
  method: 'POST',
  path: '/api/factors/totp',
  ...SETS_UP,
  summary: 'Begin to set up an authenticator app; the reply contains its secret, which is never shown again',
  body: Confirmation,
  replies: { 200: NewTotp, ...CHANGED },
})

export const checkTotp = operation({
  id: 'factors.checkTotp',
  method: 'POST',
  path: '/api/factors/totp/check',
  ...SETS_UP,
  summary: 'Check a code of the new app; the reply contains recovery codes if this is the first factor',
  body: Type.Object({ code: Type.String({ maxLength: 32 }) }),
  replies: { 200: RecoveryCodes, ...CHANGED },
})

export const enableTotp = operation({
  id: 'factors.enableTotp',
  method: 'PUT',
  path: '/api/factors/totp',
  ...SETS_UP,
  summary: 'Turn on the app that was checked; the first factor signs your other devices out',
  replies: { 204: null, 403: null, 409: null },
})

export const removeTotp = operation({
  id: 'factors.removeTotp',
  method: 'DELETE',
  path: '/api/factors/totp',
  ...SETS_UP,
  summary: 'Remove the authenticator app',
  body: Confirmation,
  replies: { 204: null, ...CHANGED },
})

export const askToConfirm = operation({
  id: 'factors.askToConfirm',
  method: 'POST',
  path: '/api/factors/confirmation',
  ...SETS_UP,
  summary: 'What a passkey must sign to confirm a change',
  replies: { 200: PasskeyOptions, 403: null },
})

export const beginPasskey = operation({
  id: 'factors.beginPasskey',
  method: 'POST',
  path: '/api/factors/passkeys/options',
  ...SETS_UP,
  summary: 'Begin to add a passkey; the reply is what the browser must be asked for',
  body: Confirmation,
  replies: { 200: PasskeyOptions, ...CHANGED },
})

export const addPasskey = operation({
  id: 'factors.addPasskey',
  method: 'POST',
  path: '/api/factors/passkeys',
  ...SETS_UP,
  summary: 'Add the passkey that the browser has made; the first factor signs your other devices out',
  body: Type.Object({ ...PasskeyName.properties, passkey: Attestation }),
  replies: { 200: RecoveryCodes, ...CHANGED },
})

export const renamePasskey = operation({
  id: 'factors.renamePasskey',
  method: 'PATCH',
  path: '/api/factors/passkeys/:id',
  ...SETS_UP,
  summary: 'Rename a passkey',
  params: PasskeyParams,
  body: PasskeyName,
  replies: { 204: null, 400: null, 403: null, 404: null },
})

export const removePasskey = operation({
  id: 'factors.removePasskey',
  method: 'DELETE',
  path: '/api/factors/passkeys/:id',
  ...SETS_UP,
  summary: 'Remove a passkey',
  params: PasskeyParams,
  body: Confirmation,
  replies: { 204: null, 404: null, ...CHANGED },
})

export const renewRecovery = operation({
  id: 'factors.renewRecovery',
  method: 'POST',
  path: '/api/factors/recovery',
  ...SETS_UP,
  summary: 'Replace the recovery codes; the reply contains the new ones, which are never shown again',
  body: Confirmation,
  replies: { 200: RecoveryCodes, ...CHANGED },
})

export const forgetDevice = operation({
  id: 'factors.forgetDevice',
  method: 'DELETE',
  path: '/api/factors/devices/:id',
  access: 'user',
  summary: 'Ask a trusted device for the second step again',
  params: Type.Object({ id: TrustedDevice.properties.id }),
  replies: { 204: null, 403: null, 404: null },
})
