import { SignInSettings } from '../../domain/auth-method.ts'
import { defaultsOf } from '../../domain/schema-tools.ts'
import { OpenSettings, WireSettings } from '../../domain/settings.ts'
import type { Examples } from './operation-example.ts'

const WIRE = defaultsOf(WireSettings)
const ALL = defaultsOf(OpenSettings)
const SIGN_IN = {
  method: 'proxy',
  ...defaultsOf(SignInSettings),
  header: 'X-Forwarded-User',
  recaptcha: { host: 'https://www.google.com', key: '', hasSecret: false },
} as const

const ETAG = { description: 'names this version of the settings', example: '"5f2c"' }
const IF_MATCH = { 'If-Match': { ...ETAG, description: 'change only if this is still the version' } }

export const SETTINGS_EXAMPLES: Examples = {
  'settings.get': { replies: { 200: { headers: { ETag: ETAG }, value: WIRE } } },
  'settings.update': { headers: IF_MATCH, body: WIRE, replies: { 200: { headers: { ETag: ETAG } } } },
  'settings.getAll': { replies: { 200: { headers: { ETag: ETAG }, value: ALL } } },
  'settings.updateAll': { headers: IF_MATCH, body: ALL, replies: { 200: { headers: { ETag: ETAG } } } },
  'settings.getSignIn': { replies: { 200: { value: SIGN_IN } } },
  'settings.updateSignIn': {
    description: 'What is left out stays. The program of the method `hook` is chosen at the command line.',
    body: { method: 'proxy', header: 'X-Forwarded-User', current_password: 'correct horse battery staple' },
    replies: { 200: { value: SIGN_IN }, 400: { description: 'It cannot work, or would not let you in' } },
  },
}
