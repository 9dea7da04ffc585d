import { NO_PERMISSIONS } from '../../../domain/access/permissions.ts'
import { DEFAULT_SORTING } from '../../../domain/files/sorting.ts'
import type { Examples } from './operation-example.ts'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjp7ImlkIjoyfSwianRpIjoiMTIzNCJ9.c2lnbmF0dXJl'
const SESSION = 'k3vX0p9QmZt2LwYs'

export const TOKEN_REPLY = {
  description: 'The token for the `X-Auth` header; GET requests may use the cookie instead',
  mediaType: 'text/plain',
  headers: {
    'Set-Cookie': {
      description: 'The token, for GET requests by browsers',
      example: 'auth=…; HttpOnly; SameSite=Strict',
    },
  },
  value: TOKEN,
}

export const AUTH_EXAMPLES: Examples = {
  'auth.login': {
    description: 'Attempts are rate-limited by name and by address.',
    body: { username: 'ann', password: 'correct horse battery staple' },
    replies: {
      200: TOKEN_REPLY,
      401: {
        description:
          'The account has a second factor. With `Accept: application/json`, `error.details` has `reason: "secondFactor"`, the ' +
          '`challenge` for `/api/login/factor` and the `ways` to answer it. Programs use an API token, which never asks for it.',
      },
      403: { description: 'Wrong name or password' },
    },
  },
  'directories.signIn': {
    description: 'For people of an LDAP directory. Attempts are rate-limited by name, by person and by address.',
    params: { id: 'studio' },
    body: { username: 'ann', password: 'correct horse battery staple' },
    replies: {
      200: TOKEN_REPLY,
      403: { description: 'Wrong name or password, or the person has no account here' },
      404: { description: 'There is no such directory' },
      503: { description: 'The directory does not answer' },
    },
  },
  'directories.link': {
    params: { id: 'studio' },
    body: { username: 'ann', password: 'correct horse battery staple' },
    replies: {
      200: { value: { hasPassword: true, identities: [], linkable: [] } },
      403: { description: 'Wrong name or password' },
      404: { description: 'There is no such directory' },
      409: { description: 'The person is linked to another account' },
      503: { description: 'The directory does not answer' },
    },
  },
  'auth.signup': {
    description: 'The account gets its own home folder. Attempts are rate-limited by address.',
    body: { username: 'ann', password: 'correct horse battery staple' },
    replies: {
      403: { description: 'The captcha was not solved' },
      405: { description: 'Sign-up is off' },
      409: { description: 'The name or its home folder is already taken' },
    },
  },
  'auth.renew': {
    description:
      'Replies have `X-Renew-Token: true` when this call is due: in the last hour of a token, or after a change of the user. ' +
      'The old token stays valid for one minute; renewing with it after that ends the session.',
    replies: { 200: TOKEN_REPLY },
  },
  'auth.passwordRules': { replies: { 200: { value: { minimumLength: 12 } } } },
  'auth.logout': { replies: { 200: { value: { url: 'https://sso.example.org/logout?client_id=filemgr' } } } },
  'auth.redeem': {
    description: 'The first start prints the code. It works once.',
    body: { code: 'Yk7vT2sQb1xWmZ0c' },
    replies: { 200: TOKEN_REPLY, 403: { description: 'The code is wrong, already used or expired' } },
  },
  'auth.redeemProvider': {
    description: 'The code is in the address of the page, and counts once, within a minute, in the same browser.',
    params: { id: 'example-sso' },
    body: { code: 'Yk7vT2sQb1xWmZ0c' },
    replies: {
      200: TOKEN_REPLY,
      403: { description: 'The code is wrong or used, or this person may not have an account' },
    },
  },
  'sessions.list': {
    query: { all: false },
    replies: {
      200: {
        value: [
          {
            id: SESSION,
            userId: 2,
            username: 'ann',
            current: true,
            method: 'json',
            factor: 'totp',
            signedInAt: '2026-03-01T08:00:00Z',
            lastSeenAt: '2026-03-01T09:30:00Z',
            expiresAt: '2026-03-31T08:00:00Z',
            address: '192.0.2.7',
            userAgent: 'Mozilla/5.0',
          },
        ],
      },
    },
  },
  'sessions.revoke': { params: { id: SESSION } },
  'sessions.revokeAll': { query: { all: false }, replies: { 200: { value: { revoked: 2 } } } },
}

const API_TOKEN = {
  id: 'p9QmZt2LwYsk3vX0',
  name: 'nightly backup',
  permissions: ['create', 'modify'],
  path: '/backup',
  userId: 2,
  username: 'ann',
  created: '2026-03-01T08:00:00Z',
  expires: '2026-05-30T08:00:00Z',
} as const

export const TOKEN_EXAMPLES: Examples = {
  'tokens.list': {
    query: { all: false },
    replies: { 200: { value: [{ ...API_TOKEN, lastUsed: '2026-03-02T01:00:00Z' }] } },
  },
  'tokens.create': {
    description:
      'The token may do what it is given here and its user may do at that time. Send it as `Authorization: Bearer`, in ' +
      '`X-Auth`, or as the password of Basic authentication. Calls that do not name `bearer` refuse tokens.',
    body: {
      name: 'nightly backup',
      permissions: ['create', 'modify'],
      path: '/backup',
      expires: '90d',
      current_password: 'correct horse battery staple',
    },
    replies: {
      200: { value: { ...API_TOKEN, token: 'fmgr_…' } },
      409: { description: 'There is a token of this name, or there are too many' },
    },
  },
  'tokens.revoke': { params: { id: 'p9QmZt2LwYsk3vX0' } },
}

const FIELDS = {
  username: 'ann',
  lockPassword: false,
  rules: [],
  scope: '/users/ann',
  perm: { ...NO_PERMISSIONS, create: true, modify: true, download: true },
  commands: [],
  locale: 'en',
  viewMode: 'mosaic',
  singleClick: false,
  redirectAfterCopyMove: true,
  sorting: DEFAULT_SORTING,
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
} as const

const ANN = { id: 2, ...FIELDS, password: '' } as const
const WRITE = 'To change accounts, send your own password as `current_password`.'
const OWN_PASSWORD = 'correct horse battery staple'

export const USER_EXAMPLES: Examples = {
  'users.list': { replies: { 200: { value: [ANN] } } },
  'users.get': { params: { id: '2' }, replies: { 200: { value: ANN } } },
  'users.create': {
    description: `${WRITE} Omitted fields get their defaults from the settings.`,
    body: {
      what: 'user',
      which: [],
      current_password: OWN_PASSWORD,
      data: { ...FIELDS, password: 'eight early otters' },
    },
    replies: {
      201: { headers: { Location: { description: 'Address of the user', example: '/settings/users/2' } } },
      409: { description: 'The name is already taken' },
    },
  },
  'users.update': {
    description: `${WRITE} \`which\` names the fields; \`["all"]\` means all of \`data\`. Users can change only their own preferences.`,
    params: { id: '2' },
    body: { what: 'user', which: ['locale'], data: { id: 2, locale: 'de' } },
  },
  'users.resetFactors': {
    params: { id: '3' },
    body: { current_password: 'correct horse battery staple' },
    replies: { 404: { description: 'There is no such user' } },
  },
  'users.delete': {
    description: `${WRITE} Their files are kept.`,
    params: { id: '2' },
    body: { current_password: OWN_PASSWORD },
    replies: { 403: { description: 'Not permitted, or the last administrator' } },
  },
}

const READERS = {
  id: 'q3ZxV0bK7mPa',
  name: 'Readers',
  perm: { execute: false, create: false, rename: false, modify: false, delete: false, share: false, download: true },
  rules: [{ regex: false, allow: false, path: '/contracts', regexp: null }],
  permissionRules: [{ regex: false, path: '/handbook', regexp: null, permissions: ['download'] }],
  places: [{ root: 'f3JkQ0aZ', scope: '/2024', name: '', permissions: ['download'], rules: [], permissionRules: [] }],
  quota: 0,
  quotaFiles: 0,
} as const

const READERS_WITH_ANN = { ...READERS, members: [{ id: 2, username: 'ann', by: 'hand' }] } as const

export const GROUP_EXAMPLES: Examples = {
  'groups.list': { replies: { 200: { value: [{ ...READERS, members: 1 }] } } },
  'groups.get': { params: { id: READERS.id }, replies: { 200: { value: READERS_WITH_ANN } } },
  'groups.create': {
    description:
      'A group gives permissions, rules and a quota to its members, never the administrator permission. What an account ' +
      'says itself wins: its own quota, its rules, and the permissions that it is denied. Changes need your own password.',
    body: {
      name: 'Readers',
      perm: { download: true },
      rules: READERS.rules,
      permissionRules: READERS.permissionRules,
      current_password: OWN_PASSWORD,
    },
    replies: {
      200: { value: { ...READERS, members: [] } },
      409: { description: 'There is a group of this name, or there are too many' },
    },
  },
  'groups.change': {
    params: { id: READERS.id },
    body: { perm: { share: true }, current_password: OWN_PASSWORD },
    replies: {
      200: { value: { ...READERS_WITH_ANN, perm: { ...READERS.perm, share: true } } },
      409: { description: 'There is a group of this name' },
    },
  },
  'groups.changeMembers': {
    description: 'Takes effect at once. Members by a provider stay: the provider decides about them at each sign-in.',
    params: { id: READERS.id },
    body: { add: [2], remove: [3], current_password: OWN_PASSWORD },
    replies: { 200: { value: READERS_WITH_ANN } },
  },
  'groups.remove': { params: { id: READERS.id }, body: { current_password: OWN_PASSWORD } },
}

const QUOTA = {
  userId: 2,
  username: 'ann',
  scope: '/users/ann',
  limit: { bytes: 21_474_836_480, files: 0 },
  used: { bytes: 5_368_709_120, files: 1200 },
  counted: '2026-07-24T09:30:00.000Z',
} as const

export const QUOTA_EXAMPLES: Examples = {
  'quotas.list': {
    description:
      'Give users a quota by their fields `quota`, in bytes, and `quotaFiles`, which counts folders too; 0 is no limit.',
    replies: { 200: { value: [QUOTA] } },
  },
  'quotas.recount': {
    params: { id: '2' },
    replies: { 200: { value: QUOTA }, 409: { description: 'The user has no quota' } },
  },
}
