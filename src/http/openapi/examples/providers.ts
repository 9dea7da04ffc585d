import type { Examples } from './operation-example.ts'

const SSO = {
  id: 'example-sso',
  type: 'oidc',
  name: 'Example SSO',
  enabled: true,
  createUsers: true,
  usernameClaim: 'preferred_username',
  secondFactor: false,
  mapping: [{ claim: 'groups', value: 'it-admins', administrator: true }],
  secretFile: '',
  secretVariable: '',
  issuer: 'https://sso.example.org/realms/main',
  clientId: 'filemgr',
  scopes: ['openid', 'profile', 'email'],
  signsOut: false,
} as const

const SHOWN = { ...SSO, hasSecret: true, people: 38, lastUsed: '2026-03-01T08:00:00.000Z' }
const OWN_PASSWORD = 'correct horse battery staple'
const params = { id: SSO.id }

const toPage = (description: string, example: string) => ({
  302: { description, headers: { Location: { description, example } } },
})

const WAYS = {
  hasPassword: true,
  identities: [
    {
      provider: SSO.id,
      name: SSO.name,
      issuer: SSO.issuer,
      subject: '6c1f2f0e-8a55-4f5c-9d0e-3b1f6f0c7f11',
      label: 'ann@example.org',
      linked: '2026-03-01T08:00:00.000Z',
      lastUsed: '2026-03-02T08:00:00.000Z',
    },
  ],
  linkable: [{ id: 'partner', name: 'Partner login', type: 'oidc' }],
}
const [{ issuer, subject }] = WAYS.identities as [(typeof WAYS.identities)[0]]

export const PROVIDER_EXAMPLES: Examples = {
  'providers.list': { replies: { 200: { value: [SHOWN] } } },
  'providers.add': {
    description: 'Send your own password as `current_password`. The secret is never shown again.',
    body: {
      type: 'oidc',
      name: SSO.name,
      issuer: SSO.issuer,
      clientId: SSO.clientId,
      secret: 'of the client',
      createUsers: true,
      current_password: OWN_PASSWORD,
    },
    replies: { 200: { value: SHOWN }, 409: { description: 'The id is taken, or there are too many providers' } },
  },
  'providers.change': {
    description: 'Absent fields stay unchanged. With another issuer, the secret must be sent again.',
    params,
    body: { enabled: true, current_password: OWN_PASSWORD },
    replies: { 200: { value: SHOWN } },
  },
  'providers.remove': { params, body: { current_password: OWN_PASSWORD } },
  'providers.test': {
    params,
    body: { claims: { preferred_username: 'ann', groups: ['it-admins'] } },
    replies: {
      200: {
        value: {
          works: true,
          steps: [{ step: 'reach', passed: true, text: 'the provider and its keys were found', milliseconds: 84 }],
          gives: { username: 'ann', administrator: true, groups: [] },
        },
      },
      501: { description: 'There is no test for this type' },
    },
  },
  'providers.start': {
    description: 'For browsers. `to` is the page to show afterwards, a path of this site.',
    params,
    query: { to: '/files/docs/' },
    replies: toPage(
      'Redirect to the provider, or to the sign-in page with the problem',
      'https://sso.example.org/auth?…',
    ),
  },
  'providers.callback': {
    params,
    replies: toPage(
      'Redirect to the page, with a code or the problem in the fragment',
      '/login#code=…&provider=example-sso',
    ),
  },
  'providers.logout': {
    description: 'OpenID Connect Back-Channel Logout 1.0.',
    params,
    body: { logout_token: 'eyJ0eXAiOiJsb2dvdXQrand0IiwiYWxnIjoiUlMyNTYifQ.e30.c2ln' },
    replies: { 400: { description: 'This is no logout token of this provider for us, or it was used' } },
  },
  'providers.link': {
    description: 'Open the address in the same browser; the page then calls `identities.linkOwn`.',
    params,
    body: { to: '/settings/security', current_password: OWN_PASSWORD },
    replies: { 200: { value: { url: 'https://sso.example.org/auth?client_id=filemgr' } } },
  },
  'identities.list': { params: { id: '2' }, replies: { 200: { value: WAYS } } },
  'identities.link': {
    description: 'The subject is what the provider calls the person for ever, not a name or an address.',
    params: { id: '2' },
    body: { provider: SSO.id, subject, label: 'ann@example.org' },
    replies: { 200: { value: WAYS }, 409: { description: 'The person is linked to another account' } },
  },
  'identities.linkOwn': {
    params,
    body: { code: 'Yk7vT2sQb1xWmZ0c' },
    replies: { 200: { value: WAYS }, 409: { description: 'The person is linked to another account' } },
  },
  'identities.unlink': {
    params: { id: '2' },
    body: { issuer, subject, current_password: OWN_PASSWORD },
    replies: {
      200: { value: { ...WAYS, identities: [] } },
      409: { description: 'It is the only way into your own account' },
    },
  },
}
