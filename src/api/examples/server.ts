import { defaultsOf } from '../../domain/schema-tools.ts'
import { ServerOptions, type OptionView } from '../../domain/server-options.ts'
import { WireSettings } from '../../domain/settings.ts'
import type { Examples } from './operation-example.ts'

const SETTINGS = defaultsOf(WireSettings)
const ETAG = { description: 'names this version of the settings', example: '"5f2c"' }
const SIGN_IN = {
  method: 'proxy',
  header: 'X-Forwarded-User',
  command: [],
  commandEnvironment: false,
  createUsers: true,
  recaptcha: { host: 'https://www.google.com', key: '', hasSecret: false },
} as const
const DENIED = { regex: false, allow: false, path: '/secret', regexp: null } as const

const OPTIONS = defaultsOf(ServerOptions)
const OPTION_VIEWS = Object.fromEntries(Object.entries(OPTIONS).map(([name, value]) => [name, viewOfDefault(value)]))

const LOGO = { name: 'img/logo.svg', size: 2048, modified: '2026-03-01T09:30:00Z' } as const

const AUDIT_ENTRY = {
  time: '2026-03-01T09:30:00.000Z',
  ...{ who: 'ann', userID: 2, session: 'q3ZxV0bK', address: '192.0.2.7' },
  ...{ action: 'files.remove', target: '/docs/report.txt', outcome: 'done' },
} as const

export const SERVER_EXAMPLES: Examples = {
  'server.health': { replies: { 200: { value: { status: 'OK' } } } },
  'server.openapi': {
    replies: { 200: { mediaType: 'application/json', value: { openapi: '3.1.0', info: { title: 'filemgr' } } } },
  },
  'settings.get': { replies: { 200: { headers: { ETag: ETAG }, value: SETTINGS } } },
  'settings.update': {
    headers: { 'If-Match': { ...ETAG, description: 'change only if this is still the version' } },
    body: SETTINGS,
    replies: { 200: { headers: { ETag: ETAG } } },
  },
  'settings.getSignIn': { replies: { 200: { value: SIGN_IN } } },
  'settings.updateSignIn': {
    description: 'What is left out stays. The program of the method `hook` is chosen at the command line.',
    body: { method: 'proxy', header: 'X-Forwarded-User', current_password: 'correct horse battery staple' },
    replies: { 200: { value: SIGN_IN }, 400: { description: 'It cannot work, or would not let you in' } },
  },
  'rules.why': {
    query: { user: 'ann', action: 'download', path: '/secret/report.txt' },
    replies: {
      200: {
        value: {
          user: 'ann',
          action: 'download',
          path: '/secret/report.txt',
          allowed: false,
          obstacles: [
            {
              kind: 'rule',
              path: '/secret/report.txt',
              message: 'rule 0 of this user (/secret) denies /secret/report.txt',
              rule: { list: 'user', index: 0, rule: DENIED },
            },
          ],
          needs: ['download'],
          rule: { list: 'user', index: 0, rule: DENIED },
          complete: true,
        },
      },
    },
  },
  'rules.preview': {
    body: { rules: [DENIED], user: 'ann' },
    replies: { 200: { value: { paths: ['/secret'], count: 1, looked: 120, complete: true } } },
  },
  'branding.list': { replies: { 200: { value: [LOGO] } } },
  'branding.upload': { replies: { 200: { value: [LOGO] } } },
  'branding.remove': { params: { name: 'logo.svg' } },
  'audit.list': {
    query: { user: 'ann', action: 'files.' },
    replies: { 200: { value: { entries: [AUDIT_ENTRY], next: null } } },
  },
  'server.get': { replies: { 200: { headers: { ETag: ETAG }, value: OPTION_VIEWS } } },
  'server.update': {
    headers: { 'If-Match': { ...ETAG, description: 'change only if this is still the version' } },
    body: { current_password: 'correct horse battery staple', values: { port: 8080, log: null } },
    replies: { 200: { headers: { ETag: ETAG } } },
  },
}

function viewOfDefault(value: unknown): OptionView {
  return { value, source: 'default', saved: null, default: value, locked: false, waiting: false }
}
