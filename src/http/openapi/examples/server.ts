import { SignInSettings } from '../../../domain/accounts/auth-method.ts'
import { EVENTS } from '../../../domain/automation/event.ts'
import { defaultsOf } from '../../../domain/schema/schema-tools.ts'
import { type OptionView, ServerOptions } from '../../../domain/server/server-options.ts'
import { OpenSettings, WireSettings } from '../../../domain/settings/settings.ts'
import type { Examples } from './operation-example.ts'

const ETAG = { description: 'Version of the values', example: '"5f2c"' }
const DENIED = { regex: false, allow: false, path: '/secret', regexp: null } as const

const OPTIONS = defaultsOf(ServerOptions)
const OPTION_VIEWS = Object.fromEntries(Object.entries(OPTIONS).map(([name, value]) => [name, viewOfDefault(value)]))

const LOGO = { name: 'img/logo.svg', size: 2048, modified: '2026-03-01T09:30:00Z' } as const

const CACHE = { entries: 1200, bytes: 14_680_064 } as const

const AUDIT_ENTRY = {
  time: '2026-03-01T09:30:00.000Z',
  who: 'ann',
  userID: 2,
  session: 'q3ZxV0bK',
  address: '192.0.2.7',
  action: 'files.remove',
  target: '/docs/report.txt',
  outcome: 'done',
} as const

const MAINTENANCE = {
  on: true,
  message: 'The disks are being replaced.',
  since: '2026-03-01T09:30:00.000Z',
  until: '2026-03-01T11:00:00.000Z',
  running: { requests: 0, jobs: 0 },
} as const

const ROOT = {
  id: 'f3JkQ0aZx1Yb',
  name: 'Photos',
  location: '/srv/photos',
  mountPoint: '',
  readOnly: true,
  followLinks: false,
  trashDays: 30,
  index: true,
  quota: 0,
  hidden: ['*.tmp'],
  warnAway: true,
  state: 'here',
  people: { users: [{ id: 2, username: 'ann' }], groups: [] },
  total: 1000000000000,
  free: 400000000000,
} as const

export const SERVER_EXAMPLES: Examples = {
  'roots.list': { replies: { 200: { value: [ROOT] } } },
  'roots.create': {
    description:
      'Only in folders and buckets that the server option `rootsIn` names; the operator adds others with "filemgr roots add". A ' +
      'folder inside another root, around it, or of filemgr itself is refused, and nothing is changed.',
    body: { name: 'Photos', location: '/srv/photos', readOnly: true },
    replies: { 200: { value: ROOT } },
  },
  'roots.change': {
    params: { id: ROOT.id },
    body: { readOnly: false },
    replies: { 200: { value: { ...ROOT, readOnly: false } } },
  },
  'roots.remove': { params: { id: ROOT.id }, body: {} },
  'server.health': { replies: { 200: { mediaType: 'text/plain', value: { status: 'OK' } } } },
  'server.live': { replies: { 200: { value: { status: 'OK' } } } },
  'server.ready': { replies: { 200: { value: { status: 'OK' } } } },
  'maintenance.get': { replies: { 200: { value: MAINTENANCE } } },
  'maintenance.begin': {
    description:
      'Uploads of others stop and can be resumed afterwards; their downloads and jobs go on to their end. Everyone but ' +
      'administrators gets 503 with `Retry-After` and the message. The expected end is only shown.',
    body: { message: MAINTENANCE.message, until: MAINTENANCE.until },
    replies: { 200: { value: MAINTENANCE } },
  },
  'maintenance.end': {
    replies: {
      200: { value: { ...MAINTENANCE, on: false, message: '', since: null, until: null } },
    },
  },
  'server.openapi': {
    replies: { 200: { mediaType: 'application/json', value: { openapi: '3.1.0', info: { title: 'filemgr' } } } },
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
          by: [{ permission: 'download', group: 'Readers' }],
          rule: { list: 'user', index: 0, rule: DENIED },
          matching: [{ list: 'user', index: 0, rule: DENIED }],
          complete: true,
          exists: true,
        },
      },
    },
  },
  'rules.whyIf': {
    body: { user: 'ann', action: 'download', path: '/secret/report.txt', supposed: { rules: [] } },
    replies: {
      200: {
        value: {
          user: 'ann',
          action: 'download',
          path: '/secret/report.txt',
          allowed: true,
          obstacles: [],
          needs: ['download'],
          by: [],
          rule: null,
          matching: [],
          complete: true,
          exists: true,
        },
      },
    },
  },
  'rules.preview': {
    body: { rules: [DENIED], user: 'ann' },
    replies: { 200: { value: { paths: ['/secret'], count: 1, looked: 120, complete: true } } },
  },
  'backup.create': {
    replies: { 200: { description: 'The backup', mediaType: 'application/x-tar', value: 'the bytes of a tar' } },
  },
  'backup.restore': {
    description: 'The whole tar is read and checked before anything is replaced.',
    query: { dryRun: 'true' },
    headers: {
      'X-Current-Password': { description: 'Percent-encoded', example: 'correct%20horse%20battery%20staple' },
    },
    body: 'the bytes of a tar',
    bodyType: 'application/x-tar',
    replies: {
      200: {
        description: 'What was restored, or with `dryRun` would be',
        value: {
          dryRun: true,
          created: '2026-03-01T09:30:00Z',
          filemgr: '1.0.0',
          users: 12,
          shares: 3,
          branding: 1,
          usersBefore: 11,
          sharesBefore: 3,
          kept: '',
          notes: [],
        },
      },
    },
  },
  'branding.list': { replies: { 200: { value: [LOGO] } } },
  'branding.upload': { replies: { 200: { value: [LOGO] } } },
  'branding.remove': { params: { name: 'logo.svg' } },
  'cache.get': { replies: { 200: { value: CACHE } } },
  'cache.clear': { replies: { 200: { value: CACHE } } },
  'audit.list': {
    query: { user: 'ann', action: 'files.', outcome: 'done', target: '/docs' },
    replies: { 200: { value: { entries: [AUDIT_ENTRY], next: null } } },
  },
  'audit.export': {
    query: { user: 'ann', format: 'jsonl' },
    replies: { 200: { description: 'The file: text/csv or application/jsonl', mediaType: '*/*' } },
  },
  'server.get': { replies: { 200: { headers: { ETag: ETAG }, value: OPTION_VIEWS } } },
  'server.update': {
    headers: { 'If-Match': { ...ETAG, description: 'Change only if this is still the current version' } },
    body: { current_password: 'correct horse battery staple', values: { port: 8080, log: null } },
    replies: { 200: { headers: { ETag: ETAG } } },
  },
}

function viewOfDefault(value: unknown): OptionView {
  return { value, source: 'default', saved: null, default: value, locked: false, waiting: false }
}

const WIRE = defaultsOf(WireSettings)
const ALL = defaultsOf(OpenSettings)
const SIGN_IN = {
  method: 'proxy',
  ...defaultsOf(SignInSettings),
  header: 'X-Forwarded-User',
  recaptcha: { host: 'https://www.google.com', key: '', hasSecret: false },
  secondFactor: { required: 'administrators', groups: [], grace: '7d', trustDays: 30 },
} as const

const SETTINGS_ETAG = { description: 'Version of the settings', example: '"5f2c"' }
const IF_MATCH = { 'If-Match': { ...SETTINGS_ETAG, description: 'Change only if this is still the current version' } }

export const SETTINGS_EXAMPLES: Examples = {
  'settings.get': { replies: { 200: { headers: { ETag: SETTINGS_ETAG }, value: WIRE } } },
  'settings.update': { headers: IF_MATCH, body: WIRE, replies: { 200: { headers: { ETag: SETTINGS_ETAG } } } },
  'settings.getAll': { replies: { 200: { headers: { ETag: SETTINGS_ETAG }, value: ALL } } },
  'settings.updateAll': { headers: IF_MATCH, body: ALL, replies: { 200: { headers: { ETag: SETTINGS_ETAG } } } },
  'settings.getSignIn': { replies: { 200: { value: SIGN_IN } } },
  'settings.updateSignIn': {
    description:
      'Omitted fields do not change. Setting the program of the method `hook` needs a daemon with `--enable-exec`.',
    body: { method: 'proxy', header: 'X-Forwarded-User', current_password: 'correct horse battery staple' },
    replies: { 200: { value: SIGN_IN }, 400: { description: 'Invalid, or you could not sign in any more' } },
  },
}

const HOOK = {
  id: '3fa94c01',
  event: 'after_upload',
  line: '/usr/local/bin/notify --quiet $FILE',
  enabled: true,
  waits: true,
  timeout: 60,
  outputLimit: 1_048_576,
  onFailure: 'refuse',
} as const

export const HOOK_EXAMPLES: Examples = {
  'hooks.list': { replies: { 200: { value: { running: true, hooks: [HOOK] } } } },
  'hooks.add': {
    body: { event: HOOK.event, line: HOOK.line },
    replies: { 200: { value: HOOK } },
  },
  'hooks.change': {
    params: { id: HOOK.id },
    body: { enabled: false, timeout: 10, place: 0 },
    replies: { 200: { value: { ...HOOK, enabled: false, timeout: 10 } } },
  },
  'hooks.remove': { params: { id: HOOK.id } },
  'hooks.test': {
    params: { id: HOOK.id },
    replies: { 200: { value: { exitCode: 0, ended: 'by itself', stdout: 'notified\n', stderr: '' } } },
  },
}

const WEBHOOK_RESULT = { outcome: 'accepted', status: 204, detail: '' } as const

const WEBHOOK = {
  id: 'f3JkQ0aZ',
  url: 'https://example.org/hook',
  name: 'Search index',
  events: ['after_upload', 'after_delete'],
  enabled: true,
  waiting: 0,
  failures: 0,
  lost: 0,
  last: { at: '2026-03-01T09:30:00.000Z', ...WEBHOOK_RESULT },
} as const

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDHoQ7Nn3rmYI='

export const WEBHOOK_EXAMPLES: Examples = {
  'webhooks.list': { replies: { 200: { value: [WEBHOOK] } } },
  'webhooks.add': {
    body: { url: WEBHOOK.url, name: WEBHOOK.name, events: WEBHOOK.events },
    replies: { 200: { value: { ...WEBHOOK, last: null, secret: SECRET } } },
  },
  'webhooks.change': {
    params: { id: WEBHOOK.id },
    body: { enabled: false },
    replies: { 200: { value: { ...WEBHOOK, enabled: false } } },
  },
  'webhooks.remove': { params: { id: WEBHOOK.id } },
  'webhooks.test': { params: { id: WEBHOOK.id }, replies: { 200: { value: WEBHOOK_RESULT } } },
}

export const TERMINAL_EXAMPLES: Examples = {
  'terminal.open': {
    params: { '*': 'docs/' },
    replies: { 101: { description: 'The connection is now a WebSocket' } },
  },
}

const STREAM = 'Wm0cYk7vT2sQb1xZ'

export const EVENT_EXAMPLES: Examples = {
  'events.stream': {
    description:
      `Event types: ${Object.keys(EVENTS).join(', ')}. Most only announce a change, so fetch the data again. When you ` +
      'reconnect, send `Last-Event-ID`, as browsers do; missed events are not repeated, you get one `gap` instead.',
    query: { folder: '/docs' },
    headers: { 'Last-Event-ID': { description: 'Id of the last event received', example: '17' } },
    replies: {
      200: {
        description: 'The events, until the session ends',
        mediaType: 'text/event-stream',
        value: `id: 1\nevent: hello\ndata: {"stream":"${STREAM}","folder":"/docs"}\n\nid: 2\nevent: folder\ndata: {"path":"/docs"}\n\n`,
      },
    },
  },
  'events.watch': { params: { stream: STREAM }, body: { folder: '/pictures' } },
}
