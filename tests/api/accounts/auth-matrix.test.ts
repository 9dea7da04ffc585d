import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { ALL_PERMISSIONS, type Permission } from '../../../src/domain/access/permissions.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { TOKEN_PERMISSIONS, type TokenPermission } from '../../../src/domain/accounts/api-token.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { PASSWORD, testApp, type RequestExtras } from '../../helpers/api/test-app.ts'
import { ASSERTION, ATTESTATION } from '../../helpers/api/passkey-samples.ts'

interface Sample extends RequestExtras {
  readonly url: string
  /** The status for an administrator with all permissions. */
  readonly done: number
  /** The permission that a user needs, and the status without it. */
  readonly needs?: Permission
  readonly refused?: number
}

const credentials = JSON.stringify({ username: 'admin', password: PASSWORD })

const linkedPerson = JSON.stringify({ username: 'ann', password: 'x', current_password: PASSWORD })
const OWN_PASSWORD = JSON.stringify({ current_password: PASSWORD })
const NEW_GROUP = JSON.stringify({ name: 'Readers', current_password: PASSWORD })
const ADMIN = { needs: 'admin', refused: 403 } as const

/** One working request of each operation. Ids: admin 1, all 2, none 3, spare 4. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'server.health': { url: '/health', done: 200 },
  'server.live': { url: '/health/live', done: 200 },
  'server.ready': { url: '/health/ready', done: 200 },
  'maintenance.get': { url: '/api/maintenance', done: 200, needs: 'admin', refused: 403 },
  'maintenance.begin': { url: '/api/maintenance', payload: '{"until":"soon"}', done: 400, ...ADMIN },
  'maintenance.end': { url: '/api/maintenance', done: 200, needs: 'admin', refused: 403 },
  'encodings.detect': { url: '/api/encodings', payload: '{"sample":"4+Xy"}', done: 200 },
  'server.openapi': { url: '/api/openapi.json', done: 200 },
  'backup.create': { url: '/api/backup', done: 400, needs: 'admin', refused: 403 },
  'backup.restore': { url: '/api/backup', payload: 'no tar', done: 400, needs: 'admin', refused: 403 },
  'auth.login': { url: '/api/login', payload: credentials, done: 200 },
  'directories.signIn': { url: '/api/sign-in/studio', payload: credentials, done: 404 },
  'directories.link': { url: '/api/sign-in/studio/person', payload: linkedPerson, done: 404 },
  'auth.signup': { url: '/api/signup', payload: credentials, done: 405 },
  'auth.redeem': { url: '/api/login/code', payload: '{"code":"wrong"}', done: 403 },
  'auth.factor': { url: '/api/login/factor', payload: '{"challenge":"wrong","code":"123456"}', done: 401 },
  'auth.askPasskey': { url: '/api/login/passkey/options', payload: '{}', done: 200 },
  'auth.passkey': { url: '/api/login/passkey', payload: ASSERTION, done: 403 },
  'factors.get': { url: '/api/factors', done: 200 },
  'factors.beginTotp': { url: '/api/factors/totp', payload: OWN_PASSWORD, done: 200 },
  'factors.checkTotp': { url: '/api/factors/totp/check', payload: '{"code":"123456"}', done: 409 },
  'factors.enableTotp': { url: '/api/factors/totp', done: 409 },
  'factors.removeTotp': { url: '/api/factors/totp', payload: OWN_PASSWORD, done: 204 },
  'factors.askToConfirm': { url: '/api/factors/confirmation', done: 200 },
  'factors.beginPasskey': { url: '/api/factors/passkeys/options', payload: OWN_PASSWORD, done: 200 },
  'factors.addPasskey': { url: '/api/factors/passkeys', payload: ATTESTATION, done: 409 },
  'factors.renamePasskey': { url: '/api/factors/passkeys/none', payload: '{"name":"key"}', done: 404 },
  'factors.removePasskey': { url: '/api/factors/passkeys/none', payload: OWN_PASSWORD, done: 404 },
  'factors.forgetDevice': { url: '/api/factors/devices/unknown-id', done: 404 },
  'factors.renewRecovery': { url: '/api/factors/recovery', payload: OWN_PASSWORD, done: 409 },
  'auth.renew': { url: '/api/renew', done: 200 },
  'auth.passwordRules': { url: '/api/password-rules', done: 200 },
  'auth.logout': { url: '/api/logout', done: 204 },
  'audit.export': { url: '/api/audit/export', done: 200, needs: 'admin', refused: 403 },
  'audit.list': { url: '/api/audit', done: 200, needs: 'admin', refused: 403 },
  'sessions.list': { url: '/api/sessions', done: 200 },
  'sessions.revokeAll': { url: '/api/sessions', done: 200 },
  'sessions.revoke': { url: `/api/sessions/${'0'.repeat(22)}`, done: 404 },
  'tokens.list': { url: '/api/tokens', done: 200 },
  'tokens.create': { url: '/api/tokens', payload: newToken(), done: 200 },
  'tokens.revoke': { url: `/api/tokens/${'0'.repeat(16)}`, done: 404 },
  'providers.list': { url: '/api/providers', done: 200, needs: 'admin', refused: 403 },
  'providers.add': {
    url: '/api/providers',
    payload: '{"type":"oidc","name":"SSO","issuer":"http://sso.test","clientId":"filemgr"}',
    done: 400,
    needs: 'admin',
    refused: 403,
  },
  'providers.change': { url: '/api/providers/sso', payload: '{"name":"SSO"}', done: 400, needs: 'admin', refused: 403 },
  'providers.remove': { url: '/api/providers/sso', payload: '{}', done: 400, needs: 'admin', refused: 403 },
  'providers.test': { url: '/api/providers/sso/test', payload: '{}', done: 404, needs: 'admin', refused: 403 },
  'providers.start': { url: '/api/sign-in/sso', done: 302 },
  'providers.callback': { url: '/api/sign-in/sso/callback', done: 302 },
  'auth.redeemProvider': { url: '/api/sign-in/sso/session', payload: '{"code":"wrong"}', done: 403 },
  'providers.logout': { url: '/api/sign-in/sso/logout', payload: 'logout_token=x', done: 400 },
  'providers.link': { url: '/api/sign-in/sso/link', payload: OWN_PASSWORD, done: 404 },
  'identities.list': { url: '/api/users/4/identities', done: 200, needs: 'admin', refused: 403 },
  'identities.link': {
    url: '/api/users/4/identities',
    payload: '{"provider":"sso","subject":"x"}',
    done: 404,
    needs: 'admin',
    refused: 403,
  },
  'identities.linkOwn': { url: '/api/sign-in/sso/identity', payload: '{"code":"wrong"}', done: 403 },
  'identities.unlink': {
    url: '/api/users/4/identities',
    payload: JSON.stringify({ issuer: 'https://sso.test', subject: 'x', current_password: PASSWORD }),
    done: 404,
    needs: 'admin',
    refused: 403,
  },
  'files.get': { url: '/api/resources/a.txt', done: 200 },
  'places.list': { url: '/api/places', done: 200 },
  'files.count': { url: '/api/count/', done: 200 },
  'files.measure': { url: '/api/measure/', done: 200 },
  'files.sizes': { url: '/api/sizes/', done: 200 },
  'files.recursive': { url: '/api/resources/recursive/', done: 200 },
  'files.create': { url: '/api/resources/new.txt', payload: 'new', done: 200, needs: 'create', refused: 403 },
  'files.createMany': { url: '/api/upload/', done: 415 },
  'files.save': { url: '/api/resources/a.txt', payload: 'b', done: 200, needs: 'modify', refused: 403 },
  'files.transfer': {
    url: '/api/resources/a.txt?action=rename&destination=%2Fb.txt',
    done: 200,
    needs: 'rename',
    refused: 403,
  },
  'files.planRenames': { url: '/api/rename-plan/', payload: newNames(), done: 200, needs: 'rename', refused: 403 },
  // Each entry of the reply has its own error: tests/api/files/change-many.test.ts.
  'files.changeMany': {
    url: '/api/changes/',
    payload: '{"action":"delete","items":[{"path":"gone.txt"}]}',
    done: 200,
  },
  'files.renameMany': { url: '/api/rename/', payload: newNames(), done: 200, needs: 'rename', refused: 403 },
  'archives.list': { url: '/api/archives/a.txt', done: 415, needs: 'download', refused: 202 },
  'archives.get': { url: '/api/archived/a.txt?inside=%2Fa', done: 415, needs: 'download', refused: 202 },
  'archives.extract': {
    url: '/api/extract/a.txt',
    payload: '{"destination":"/"}',
    done: 415,
    needs: 'create',
    refused: 403,
  },
  'archives.compress': {
    url: '/api/compress/',
    payload: '{"names":["a.txt"],"destination":"/a.zip"}',
    done: 200,
    needs: 'create',
    refused: 403,
  },
  'pictures.edit': { url: '/api/pictures/a.txt', payload: '{"turns":1}', done: 415, needs: 'create', refused: 403 },
  'files.remove': { url: '/api/resources/a.txt', done: 204, needs: 'delete', refused: 403 },
  'jobs.list': { url: '/api/jobs', done: 200 },
  'jobs.get': { url: `/api/jobs/${'0'.repeat(16)}`, done: 404 },
  'jobs.cancel': { url: `/api/jobs/${'0'.repeat(16)}`, done: 404 },
  'notices.list': { url: '/api/notices', done: 200 },
  'notices.see': { url: '/api/notices/seen', payload: '{"until":1}', done: 204 },
  'events.stream': { url: '/api/events?folder=missing', done: 404 },
  'events.watch': { url: '/api/events/none', payload: '{}', done: 404 },
  'trash.list': { url: '/api/trash', done: 200, needs: 'delete', refused: 403 },
  'trash.restore': { url: `/api/trash/${'0'.repeat(16)}`, done: 404, needs: 'create', refused: 403 },
  // Each item of the reply has its own error: tests/api/files/trash-many.test.ts.
  'trash.changeMany': {
    url: '/api/trash',
    payload: `{"action":"delete","ids":["${'0'.repeat(16)}"]}`,
    done: 200,
  },
  'trash.remove': { url: `/api/trash/${'0'.repeat(16)}`, done: 404, needs: 'delete', refused: 403 },
  'trash.empty': { url: '/api/trash', done: 204, needs: 'delete', refused: 403 },
  'shares.list': { url: '/api/shares', done: 200, needs: 'share', refused: 403 },
  'shares.get': { url: '/api/shares/0000', done: 404, needs: 'share', refused: 403 },
  'shares.arrivals': { url: '/api/shares/0000/arrivals', done: 404, needs: 'share', refused: 403 },
  'shares.see': { url: '/api/shares/0000/seen', payload: '{"until":1}', done: 404, needs: 'share', refused: 403 },
  'shares.uploads': { url: '/api/shares/0000/uploads', done: 404, needs: 'share', refused: 403 },
  'shares.cancelUpload': { url: '/api/shares/0000/uploads/0', done: 404, needs: 'share', refused: 403 },
  'shares.update': { url: '/api/shares/0000', payload: '{}', done: 404, needs: 'share', refused: 403 },
  'shares.ofPath': { url: '/api/share/a.txt', done: 200, needs: 'share', refused: 403 },
  'shares.create': { url: '/api/share/a.txt', payload: '{}', done: 200, needs: 'share', refused: 403 },
  'shares.remove': { url: '/api/share/0000', done: 404, needs: 'share', refused: 403 },
  'grants.list': { url: '/api/grants', done: 200, needs: 'share', refused: 403 },
  'grants.create': {
    url: '/api/grants',
    payload: '{"path":"/a.txt","to":{"user":"nobody"}}',
    done: 404,
    needs: 'share',
    refused: 403,
  },
  'grants.update': { url: '/api/grants/0000', payload: '{}', done: 404, needs: 'share', refused: 403 },
  'grants.remove': { url: '/api/grants/0000', done: 404, needs: 'share', refused: 403 },
  'grants.shared': { url: '/api/shared', done: 200 },
  'grants.leave': { url: '/api/shared/0000', done: 404 },
  'grants.people': { url: '/api/people?q=zz', done: 200, needs: 'share', refused: 403 },
  'shares.removeMany': { url: '/api/shares', payload: '{"remove":["0000"]}', done: 204, needs: 'share', refused: 403 },
  'public.get': { url: '/api/public/share/0000', done: 404 },
  'public.download': { url: '/api/public/dl/0000', done: 404 },
  'public.select': { url: '/api/public/selections/0000', payload: '{"files":["a.txt"]}', done: 404 },
  'public.preview': { url: '/api/public/preview/thumb/0000', done: 404 },
  'public.subtitles': { url: '/api/public/subtitle/0000', done: 404 },
  'public.link': { url: '/api/public/link/0000', done: 404 },
  'public.send': { url: '/api/public/tus/0000/a.txt', headers: { 'upload-length': '3' }, done: 404 },
  'public.receipt': { url: '/api/public/tus/0000/0000', done: 404 },
  'public.append': { url: '/api/public/tus/0000/0000', done: 404 },
  'public.withdraw': { url: '/api/public/tus/0000/0000', done: 404 },
  'uploads.begin': {
    url: '/api/tus/new.bin',
    headers: { 'upload-length': '3' },
    done: 201,
    needs: 'create',
    refused: 403,
  },
  'uploads.get': { url: '/api/tus/new.bin', done: 404, needs: 'create', refused: 403 },
  'uploads.append': { url: '/api/tus/new.bin', done: 404, needs: 'create', refused: 403 },
  'uploads.direct': { url: '/api/direct/new.bin', done: 404, needs: 'create', refused: 403 },
  'uploads.discard': { url: '/api/tus/new.bin', done: 404, needs: 'create', refused: 403 },
  'downloads.raw': { url: '/api/raw/a.txt', done: 200, needs: 'download', refused: 202 },
  'downloads.select': {
    url: '/api/selections/',
    payload: '{"files":["a.txt"]}',
    done: 200,
    needs: 'download',
    refused: 202,
  },
  'previews.get': { url: '/api/preview/thumb/a.txt', done: 501, needs: 'download', refused: 202 },
  'subtitles.get': { url: '/api/subtitle/a.txt', done: 400, needs: 'download', refused: 202 },
  'cache.get': { url: '/api/cache', done: 200, needs: 'admin', refused: 403 },
  'cache.clear': { url: '/api/cache', done: 200, needs: 'admin', refused: 403 },
  'usage.get': { url: '/api/usage/', done: 200 },
  'search.run': { url: '/api/search/?query=a', done: 200 },
  'users.list': { url: '/api/users', done: 200, needs: 'admin', refused: 403 },
  'users.get': { url: '/api/users/4', done: 200, needs: 'admin', refused: 403 },
  'users.create': { url: '/api/users', payload: '{}', done: 400, needs: 'admin', refused: 403 },
  'users.update': { url: '/api/users/4', payload: userBody(), done: 200, needs: 'admin', refused: 403 },
  'users.delete': { url: '/api/users/4', payload: OWN_PASSWORD, done: 200, needs: 'admin', refused: 403 },
  'roots.list': { url: '/api/roots', done: 200, ...ADMIN },
  'roots.create': { url: '/api/roots', payload: OWN_PASSWORD, done: 400, ...ADMIN },
  'roots.change': { url: '/api/roots/none', payload: OWN_PASSWORD, done: 404, ...ADMIN },
  'roots.remove': { url: '/api/roots/none', payload: OWN_PASSWORD, done: 404, ...ADMIN },
  'groups.list': { url: '/api/groups', done: 200, ...ADMIN },
  'groups.get': { url: '/api/groups/none', done: 404, ...ADMIN },
  'groups.create': { url: '/api/groups', payload: NEW_GROUP, done: 200, ...ADMIN },
  'groups.change': { url: '/api/groups/none', payload: OWN_PASSWORD, done: 404, ...ADMIN },
  'groups.changeMembers': { url: '/api/groups/none/members', payload: OWN_PASSWORD, done: 404, ...ADMIN },
  'groups.remove': { url: '/api/groups/none', payload: OWN_PASSWORD, done: 404, ...ADMIN },
  'users.resetFactors': { url: '/api/users/4/factors', payload: OWN_PASSWORD, done: 204, ...ADMIN },
  'quotas.list': { url: '/api/quotas', done: 200, needs: 'admin', refused: 403 },
  'quotas.recount': { url: '/api/quotas/4/recount', done: 409, needs: 'admin', refused: 403 },
  'rules.why': { url: '/api/why?user=spare&action=delete&path=%2Fa.txt', done: 200, needs: 'admin', refused: 403 },
  'hooks.list': { url: '/api/hooks', done: 200, needs: 'admin', refused: 403 },
  'hooks.add': {
    url: '/api/hooks',
    payload: '{"event":"after_save","line":"id"}',
    done: 200,
    needs: 'admin',
    refused: 403,
  },
  'hooks.change': { url: '/api/hooks/0', payload: '{"enabled":true}', done: 404, needs: 'admin', refused: 403 },
  'hooks.remove': { url: '/api/hooks/0', done: 404, needs: 'admin', refused: 403 },
  'hooks.test': { url: '/api/hooks/0/test', done: 404, needs: 'admin', refused: 403 },
  'webhooks.list': { url: '/api/webhooks', done: 200, needs: 'admin', refused: 403 },
  'webhooks.add': {
    url: '/api/webhooks',
    payload: '{"url":"https://example.org/hook"}',
    done: 200,
    needs: 'admin',
    refused: 403,
  },
  'webhooks.change': { url: '/api/webhooks/0', payload: '{"enabled":true}', done: 404, needs: 'admin', refused: 403 },
  'webhooks.remove': { url: '/api/webhooks/0', done: 404, needs: 'admin', refused: 403 },
  'webhooks.test': { url: '/api/webhooks/0/test', done: 404, needs: 'admin', refused: 403 },
  'terminal.open': { url: '/api/command/', done: 400 },
  'rules.whyIf': {
    url: '/api/why',
    payload: '{"user":"spare","action":"delete","path":"/a.txt","supposed":{}}',
    done: 200,
    needs: 'admin',
    refused: 403,
  },
  'rules.preview': { url: '/api/rules/preview', payload: '{"rules":[]}', done: 200, needs: 'admin', refused: 403 },
  'branding.list': { url: '/api/branding', done: 200, needs: 'admin', refused: 403 },
  'branding.upload': { url: '/api/branding', done: 415, needs: 'admin', refused: 403 },
  'branding.remove': { url: '/api/branding/custom.css', done: 409, needs: 'admin', refused: 403 },
  'server.get': { url: '/api/server', done: 200, needs: 'admin', refused: 403 },
  'server.update': { url: '/api/server', payload: '{"values":{}}', done: 400, needs: 'admin', refused: 403 },
  'settings.getAll': { url: '/api/settings/all', done: 200, needs: 'admin', refused: 403 },
  'settings.updateAll': { url: '/api/settings/all', payload: '{}', done: 400, needs: 'admin', refused: 403 },
  'settings.get': { url: '/api/settings', done: 200, needs: 'admin', refused: 403 },
  'settings.getSignIn': { url: '/api/settings/auth', done: 200, needs: 'admin', refused: 403 },
  'settings.updateSignIn': { url: '/api/settings/auth', payload: '{}', done: 400, needs: 'admin', refused: 403 },
  'settings.update': { url: '/api/settings', payload: '{}', done: 400, needs: 'admin', refused: 403 },
}

function userBody(): string {
  return JSON.stringify({ what: 'user', which: ['locale'], current_password: PASSWORD, data: { id: 4, locale: 'de' } })
}

function newNames(): string {
  return JSON.stringify({ renames: [{ from: 'a.txt', to: 'b.txt' }] })
}

function newToken(): string {
  return JSON.stringify({ name: 'script', current_password: PASSWORD })
}

async function serve() {
  const server = await testApp({ files: { 'a.txt': 'a' } })
  const admin = await server.admin()
  const all = await server.user('all', { ...ALL_PERMISSIONS, admin: false })
  const none = await server.user('none')
  await server.user('spare')
  const { apiTokens } = server.context.services
  const tokenOf = async (owner: number, permissions: TokenPermission[]) => {
    const order = { name: `with ${permissions.length}`, permissions }
    const { token } = await apiTokens.create(OPERATOR, order, { owner: owner as UserId })
    return { authorization: `Bearer ${token}` }
  }
  const tokens = {
    full: await tokenOf(1, [...TOKEN_PERMISSIONS]),
    files: await tokenOf(
      2,
      TOKEN_PERMISSIONS.filter((permission) => permission !== 'admin'),
    ),
    bare: await tokenOf(1, []),
  }
  return { server, admin, all, none, tokens }
}

it('every operation has a sample', () => {
  expect(Object.keys(SAMPLES).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
})

type World = Awaited<ReturnType<typeof serve>>

/** For all requests that change nothing. */
let unchanged: World
beforeAll(async () => {
  unchanged = await serve()
})
afterAll(async () => await unchanged.server[Symbol.asyncDispose]())

const EACH = OPERATIONS.map(({ id, method, access, tokens }) => ({ id, method, access, tokens }))

const WITH_BODY = OPERATIONS.filter(({ body, bodyKind }) => body !== undefined || bodyKind !== undefined)

it.each(WITH_BODY)('$id refuses a part of a body, and changes nothing', async ({ id, method, access }) => {
  const { url = '', ...sample }: Partial<Sample> = SAMPLES[id] ?? {}
  const before = unchanged.server.context.store.snapshot()
  const sent = { ...sample, headers: { ...sample.headers, 'content-range': 'bytes 1-3/4' } }
  const answer = await unchanged.admin.ask(method, url, sent)
  // The links do not exist, and old clients expect 403 for any invalid sign-in.
  const isSignIn = /^auth\.(login|redeem|factor|askPasskey|passkey$)|^directories\.signIn$/.test(id)
  const otherwise = access === 'share' ? 404 : isSignIn ? 403 : 400
  expect(answer.statusCode).toBe(otherwise)
  expect(await readdir(unchanged.server.root)).toEqual(['a.txt'])
  expect(await readFile(join(unchanged.server.root, 'a.txt'), 'utf8')).toBe('a')
  expect(unchanged.server.context.store.snapshot()).toBe(before)
})

describe.each(EACH)('$id', ({ id, method, access, tokens }) => {
  const sample = SAMPLES[id]
  if (sample === undefined) throw new Error(`no sample of ${id}`)
  const { url, done, needs, refused = 0 } = sample
  const isOpen = access === 'public' || access === 'share'

  const changesSomething = method !== 'GET' && done < 300
  let world: World
  beforeEach(async () => {
    world = changesSomething ? await serve() : unchanged
  })
  afterEach(async () => {
    if (changesSomething) await world.server[Symbol.asyncDispose]()
  })

  it('needs a session, unless it is public', async () => {
    expect((await world.server.ask(method, url, sample)).statusCode).toBe(isOpen ? done : 401)
  })

  it('serves an administrator', async () => {
    expect((await world.admin.ask(method, url, sample)).statusCode).toBe(done)
  })

  it('serves a user with all permissions, if it is not for administrators', async () => {
    expect((await world.all.ask(method, url, sample)).statusCode).toBe(needs === 'admin' ? refused : done)
  })

  it('serves an API token, unless it needs a sign-in', async () => {
    const sent = { ...sample, headers: { ...sample.headers, ...world.tokens.full } }
    expect((await world.server.ask(method, url, sent)).statusCode).toBe(tokens === true || isOpen ? done : 403)
  })

  it('serves an API token of a user, if it is not for administrators', async () => {
    const sent = { ...sample, headers: { ...sample.headers, ...world.tokens.files } }
    const isServed = isOpen || (tokens === true && needs !== 'admin')
    expect((await world.server.ask(method, url, sent)).statusCode).toBe(isServed ? done : 403)
  })

  it('refuses an API token without the permission that its user has', async () => {
    const sent = { ...sample, headers: { ...sample.headers, ...world.tokens.bare } }
    const answered = needs === undefined ? done : refused
    expect((await world.server.ask(method, url, sent)).statusCode).toBe(tokens === true || isOpen ? answered : 403)
  })

  it('refuses a user without the permission', async () => {
    expect((await world.none.ask(method, url, sample)).statusCode).toBe(needs === undefined ? done : refused)
  })
})
