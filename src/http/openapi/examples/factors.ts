import { TOKEN_REPLY } from './accounts.ts'
import type { Examples } from './operation-example.ts'

const CHALLENGE = 'Yk7vT2sQb1xWmZ0cQ4hRjL8n'
const PASSKEY = 'Zm9yIGV4YW1wbGU'
const SIGNED = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'

const REQUEST = {
  challenge: 'mXq2b0Yl7fGm',
  rpId: 'files.example.org',
  allowCredentials: [],
  userVerification: 'required',
}

const ASSERTION = {
  id: PASSKEY,
  rawId: PASSKEY,
  type: 'public-key',
  response: { clientDataJSON: SIGNED, authenticatorData: 'SZYN5Yg', signature: 'MEUCIQD', userHandle: 'k3vX0p9Q' },
}

const ATTESTATION = {
  id: PASSKEY,
  rawId: PASSKEY,
  type: 'public-key',
  response: { clientDataJSON: SIGNED, attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
}

const CONFIRMATION = { current_password: 'correct horse battery staple' }
const RECOVERY_CODES = { recoveryCodes: ['4k7p-9wqd-tm2x', 'h8vz-3rbn-6yfc'] }

const CONFIRMED = 'Needs the password, or a code, a recovery code or a signed `/api/factors/confirmation`.'

export const FACTOR_EXAMPLES: Examples = {
  'auth.factor': {
    description:
      'One of `code`, `recovery` and `passkey`. The challenge is valid for five minutes, once, and for ten wrong codes; wrong ' +
      'codes are rate-limited by account and by address.',
    body: { challenge: CHALLENGE, code: '419027' },
    replies: {
      200: TOKEN_REPLY,
      401: { description: 'The challenge is over; sign in from the beginning' },
      403: { description: 'Wrong, or used before' },
    },
  },
  'auth.askPasskey': { body: { challenge: CHALLENGE }, replies: { 200: { value: REQUEST } } },
  'auth.passkey': {
    description: 'The answer to `/api/login/passkey/options` without a challenge. The device must check the person.',
    body: { passkey: ASSERTION },
    replies: { 200: TOKEN_REPLY, 403: { description: 'The passkey is not known, or has not signed this' } },
  },
  'factors.get': {
    replies: {
      200: {
        value: {
          totp: { confirmedAt: '2026-03-01T08:00:00Z' },
          recoveryCodes: 9,
          passkeys: [{ id: PASSKEY, name: 'Blue key', createdAt: '2026-03-02T08:00:00Z' }],
          trusted: [
            {
              id: 'x2Qk9fLm',
              userAgent: 'Mozilla/5.0',
              since: '2026-03-03T08:00:00Z',
              until: '2026-04-02T08:00:00Z',
              current: true,
            },
          ],
          confirmsBy: ['password', 'totp', 'passkey', 'recovery'],
        },
      },
    },
  },
  'factors.beginTotp': {
    description: CONFIRMED,
    body: CONFIRMATION,
    replies: {
      200: {
        value: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/filemgr:ann?issuer=filemgr&secret=JBSWY3DPEHPK3PXP' },
      },
    },
  },
  'factors.checkTotp': { body: { code: '419027' }, replies: { 200: { value: RECOVERY_CODES } } },
  'factors.enableTotp': { replies: { 409: { description: 'No code was checked in the last half hour' } } },
  'factors.removeTotp': { description: CONFIRMED, body: CONFIRMATION },
  'factors.askToConfirm': { replies: { 200: { value: REQUEST } } },
  'factors.beginPasskey': {
    description: CONFIRMED,
    body: CONFIRMATION,
    replies: { 200: { value: { challenge: 'mXq2b0Yl7fGm', rp: { name: 'filemgr', id: 'files.example.org' } } } },
  },
  'factors.addPasskey': {
    description: 'The reply has recovery codes if the passkey is the first factor.',
    body: { name: 'Blue key', passkey: ATTESTATION },
    replies: {
      200: { value: { recoveryCodes: [] } },
      409: { description: 'The passkey is known already, or it took too long' },
    },
  },
  'factors.renamePasskey': { params: { id: PASSKEY }, body: { name: 'Red key' } },
  'factors.removePasskey': { description: CONFIRMED, params: { id: PASSKEY }, body: CONFIRMATION },
  'factors.forgetDevice': { params: { id: 'x2Qk9fLm' } },
  'factors.renewRecovery': { description: CONFIRMED, body: CONFIRMATION, replies: { 200: { value: RECOVERY_CODES } } },
}
