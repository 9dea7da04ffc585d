import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { RestoreReport } from '../../../src/domain/server/backup.ts'
import type { User } from '../../../src/domain/accounts/user.ts'
import { merged } from '../../../src/domain/schema/schema-tools.ts'
import { newApiToken } from '../../../src/platform/security/api-token-text.ts'
import { systemRandom } from '../../../src/platform/security/random.ts'
import { digestOf } from '../../../src/platform/security/tokens.ts'
import type { StoreDocument } from '../../../src/store/document.ts'
import { PASSWORD, testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'
import { backupOf, filesIn, inParts, tarFile, type TarPart } from '../../helpers/samples/tar-file.ts'

const WITH_PASSWORD = { 'x-current-password': encodeURIComponent(PASSWORD) }
const PICTURE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')

async function serve() {
  const server = await testApp({ store: 'json' })
  return Object.assign(server, { boss: await server.admin() })
}

const backUp = async (client: Client) => (await client.ask('GET', '/api/backup', { headers: WITH_PASSWORD })).rawPayload
const putBack = async (client: Client, payload: Buffer, url = '/api/backup') =>
  await client.ask('POST', url, { payload, headers: WITH_PASSWORD })

const names = ({ context }: TestApp) => context.store.snapshot().users.map(({ username }) => username)

describe('a backup', () => {
  it('is a tar of the store, branding and a manifest', async () => {
    await using server = await serve()
    await server.context.services.branding.put(OPERATOR, 'logo.svg', inParts(PICTURE))
    const answer = await server.boss.ask('GET', '/api/backup', { headers: WITH_PASSWORD })
    expect(answer.headers['content-type']).toBe('application/x-tar')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; .*filemgr-\d{4}-\d\d-\d\d\.tar$/)
    const files = await filesIn(answer.rawPayload)
    expect([...files.keys()]).toEqual(['store.json', 'branding/img/logo.svg', 'manifest.json'])
    expect(files.get('branding/img/logo.svg')).toEqual(PICTURE)
    const { secrets, ...document } = server.context.store.snapshot()
    expect(JSON.parse(String(files.get('store.json')))).toMatchObject(document)
    expect(String(answer.rawPayload)).not.toContain(secrets.tokenKey)
  })

  it('restores everything, including branding', async () => {
    await using server = await serve()
    const { branding, settings } = server.context.services
    await server.user('bob')
    await branding.put(OPERATOR, 'logo.svg', inParts(PICTURE))
    const backup = await backUp(server.boss)
    await server.user('eve')
    await settings.patch(OPERATOR, { signup: true })
    await branding.remove(OPERATOR, 'logo.svg')

    const answer = await putBack(server.boss, backup)
    expect(answer.json()).toMatchObject({ dryRun: false, users: 2, usersBefore: 3, branding: 1 })
    expect(names(server)).toEqual(['admin', 'bob'])
    expect(settings.current().signup).toBe(false)
    expect((await branding.list(OPERATOR)).map(({ name }) => name)).toEqual(['img/logo.svg'])
    await server.login('bob')

    await putBack(await server.admin(), backup)
    const { brandingFolder } = server.context.store.snapshot()
    const folders = (await readdir(server.context.dataFolder)).filter((name) => name.startsWith('branding'))
    expect(folders).toEqual([brandingFolder])
  })

  it('ends API tokens that were revoked since or that somebody wrote into it, and keeps those that still work', async () => {
    await using server = await serve()
    const { apiTokens, users } = server.context.services
    await server.user('other', { admin: true })
    const owner = users.find('admin').id
    const kept = await apiTokens.create(OPERATOR, { name: 'kept' }, { owner })
    const revoked = await apiTokens.create(OPERATOR, { name: 'revoked' }, { owner })
    const moved = await apiTokens.create(OPERATOR, { name: 'moved' }, { owner })
    const files = await filesIn(await backUp(server.boss))
    await apiTokens.revoke(OPERATOR, revoked.id)
    const secret = newApiToken(systemRandom)
    const document = JSON.parse(String(files.get('store.json'))) as StoreDocument
    const [first] = document.tokens
    const planted = { ...first, id: 'planted-token', hash: digestOf(secret), userId: users.find('other').id }
    document.tokens = [
      ...document.tokens.map((token) => (token.name === 'moved' ? { ...token, userId: planted.userId } : token)),
      { ...planted, name: 'planted', permissions: ['admin'] },
    ] as never
    const answer = await putBack(server.boss, backupOf({ 'store.json': JSON.stringify(document) }))
    expect(answer.statusCode).toBe(200)
    expect(answer.json<RestoreReport>().notes.join()).toContain('2 API tokens of the backup do not come back')
    const ask = async (token: string) =>
      (await server.ask('GET', '/api/resources/', { headers: { 'x-auth': token } })).statusCode
    expect(await Promise.all([kept.token, moved.token, revoked.token, secret].map(ask))).toEqual([200, 200, 401, 401])
    expect(server.context.store.snapshot().tokens.map(({ name, userId }) => [name, userId])).toEqual([
      ['kept', owner],
      ['moved', owner],
    ])
    const log = await server.context.services.audit.page(OPERATOR, { action: 'backup.restore' })
    expect(log.entries).toMatchObject([{ who: 'admin', userID: owner, outcome: 'done' }])
  })

  it('is restored after the current state is saved as another backup, readable by its owner only', async () => {
    await using server = await serve()
    const empty = await backUp(server.boss)
    await server.user('eve')
    const { kept } = (await putBack(server.boss, empty)).json<{ kept: string }>()
    const path = join(server.context.dataFolder, kept)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(names(server)).toEqual(['admin'])
    await putBack(await server.admin(), await readFile(path))
    expect(names(server)).toEqual(['admin', 'eve'])
  })

  it('signs everybody out when it is restored, also users whose password has changed since', async () => {
    await using server = await serve()
    const mallory = await server.user('mallory')
    const backup = await backUp(server.boss)
    await server.context.services.users.setPassword(OPERATOR, 2 as never, 'another passphrase')
    await putBack(server.boss, backup)
    for (const client of [server.boss, mallory]) {
      expect((await client.ask('GET', '/api/resources/')).statusCode).toBe(401)
    }
  })

  it('never reuses an id that was assigned after it was made', async () => {
    await using server = await serve()
    const backup = await backUp(server.boss)
    await server.user('eve')
    await putBack(server.boss, backup)
    const { id } = await server.context.services.users.create(OPERATOR, { username: 'new', password: PASSWORD })
    expect(id).toBe(3)
  })

  it('is only checked in a dry run', async () => {
    await using server = await serve()
    const backup = await backUp(server.boss)
    await server.user('eve')
    const before = await readdir(server.context.dataFolder)
    const answer = await putBack(server.boss, backup, '/api/backup?dryRun=true')
    expect(answer.json()).toMatchObject({ dryRun: true, users: 1, usersBefore: 2, kept: '' })
    expect(names(server)).toEqual(['admin', 'eve'])
    expect(await readdir(server.context.dataFolder)).toEqual(before)
  })

  it.each(['GET', 'POST'] as const)(
    'needs the current password for %s: a stolen token is not enough',
    async (method) => {
      await using server = await serve()
      const payload = await backUp(server.boss)
      for (const headers of [{}, { 'x-current-password': 'wrong' }]) {
        const answer = await server.boss.ask(method, '/api/backup', { ...(method === 'POST' && { payload }), headers })
        expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('current password')])
      }
    },
  )

  it('that contains a token key is restored with a new one, as somebody may have copied it', async () => {
    await using server = await serve()
    const { tokenKey } = server.context.store.snapshot().secrets
    const text = await readFile(join(server.context.dataFolder, 'store.json'))
    await putBack(server.boss, backupOf({ 'store.json': text }))
    expect(server.context.store.snapshot().secrets.tokenKey).not.toBe(tokenKey)
  })

  it('of an operator who keeps branding in another folder leaves that folder alone', async () => {
    await using server = await serve()
    const files = join(server.root, 'brand')
    await server.context.services.settings.patch(OPERATOR, { branding: { files } })
    const backup = await backUp(server.boss)
    const { notes } = (await putBack(server.boss, backup)).json<{ notes: string[] }>()
    expect(notes.join()).toContain('does not exist')
    expect(server.context.services.settings.current().branding.files).toBe('')
  })
})

describe('a restore', () => {
  const change = { authMethod: 'hook', auth: { command: ['/bin/true'] }, commands: { after_upload: ['evil $FILE'] } }

  const forged = (server: TestApp, settings: object, rest: object = {}) => {
    const { settings: before, ...document } = server.context.store.snapshot()
    const text = JSON.stringify({ ...document, ...rest, settings: merged(before, settings) })
    return backupOf({ 'store.json': text })
  }

  it('through the web sets no program, hook, webhook or start-up value: a forged backup could run commands', async () => {
    await using server = await serve()
    const secret = `whsec_${'A'.repeat(44)}`
    const spy = { id: 'spy', url: 'https://example.org/', name: '', events: ['after_save'], enabled: true, secret }
    const rest = { server: { root: '/', noAuth: true }, webhooks: [spy] }
    const backup = forged(server, { ...change, branding: { name: 'new' } }, rest)
    const { settings, server: saved } = server.context.store.snapshot()
    const answer = await putBack(server.boss, backup)
    expect(answer.json<{ notes: string[] }>().notes).toEqual([expect.stringContaining('are not changed')])
    const after = server.context.store.snapshot()
    expect(after.settings).toEqual({ ...settings, branding: { ...settings.branding, name: 'new' } })
    expect([after.server, after.webhooks]).toEqual([saved, []])
  })

  it('at the terminal sets those too', async () => {
    await using server = await serve()
    const startUp = { root: '/srv' }
    await server.context.services.backups.restore(OPERATOR, inParts(forged(server, change, { server: startUp })))
    const { settings, server: saved } = server.context.store.snapshot()
    expect([settings.authMethod, settings.auth.command, saved]).toEqual(['hook', ['/bin/true'], startUp])
  })

  it('refuses a backup that leaves no ids for new accounts', async () => {
    await using server = await serve()
    const before = server.context.store.snapshot()
    const answer = await putBack(server.boss, forged(server, {}, { nextUserId: Number.MAX_SAFE_INTEGER }))
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('nextUserId')])
    expect(server.context.store.snapshot()).toBe(before)
  })

  it.each<[string, object, (user: User) => Partial<User>]>([
    ['settings that the API would refuse', { logoutPage: 'javascript:alert(1)' }, () => ({})],
    ['accounts that the API would refuse', {}, () => ({ username: 'id:7' })],
    ['accounts without an administrator', {}, () => ({ perm: NO_PERMISSIONS })],
  ])('refuses %s, also in a dry run', async (_, settings, alter) => {
    await using server = await serve()
    const users = server.context.store.snapshot().users.map((user) => ({ ...user, ...alter(user) }))
    for (const url of ['/api/backup', '/api/backup?dryRun=true']) {
      const before = server.context.store.snapshot()
      const answer = await putBack(server.boss, forged(server, settings, { users }), url)
      expect(answer.statusCode).toBe(400)
      expect(server.context.store.snapshot()).toBe(before)
    }
  })
})

describe('a restore refuses, and changes nothing for', () => {
  const store = async (server: TestApp) => await readFile(join(server.context.dataFolder, 'store.json'), 'utf8')

  const tricks: [string, (text: string, backup: Buffer) => Buffer, string][] = [
    ['a file that is not a tar', () => Buffer.from('{"users":[]}'), 'this is not a tar file'],
    ['an empty body', () => Buffer.alloc(0), 'this is not a tar file'],
    ['a tar that was cut off', (_, backup) => backup.subarray(0, -2048), 'missing'],
    ['a tar with a changed byte', (_, backup) => changed(backup, 700), 'the backup is damaged: store.json'],
    ['a tar with a changed header', (_, backup) => changed(backup, 30), 'this is not a tar file'],
    ['a newer format', (text) => backupOf({ 'store.json': text }, { format: 2 }), 'made by a newer filemgr'],
    [
      'a newer store',
      (text) => backupOf({ 'store.json': text.replace('"version": 1', '"version": 99') }),
      'written by a newer filemgr',
    ],
    [
      'a store that is not valid',
      (text) => backupOf({ 'store.json': text.replace('"username"', '"usrname"') }),
      'not valid',
    ],
    ['a backup without a store', () => backupOf({}), 'does not contain store.json'],
    ['a manifest that lists nothing', (text) => backupOf({ 'store.json': text }, { files: [] }), 'does not list'],
    [
      'CVE-2021-37701: a path out of the data folder',
      (text) => withPart(text, { name: '../../etc/cron.d/x' }),
      'an unexpected file',
    ],
    ['CVE-2021-32804: an absolute path', (text) => withPart(text, { name: '/etc/passwd' }), 'an unexpected file'],
    [
      'a path in the branding folder that leaves it',
      (text) => withPart(text, { name: 'branding/img/../../x.svg' }),
      'an unexpected file',
    ],
    ['a script among the pictures', (text) => withPart(text, { name: 'branding/img/x.html' }), 'an unexpected file'],
    [
      'CVE-2021-32803: a symbolic link',
      (text) => withPart(text, { name: 'branding/img/x.svg', type: 'SymbolicLink', linkpath: '/etc/shadow' }),
      'other than regular files',
    ],
    [
      'CVE-2018-20834: a hard link',
      (text) => withPart(text, { name: 'branding/img/x.svg', type: 'Link', linkpath: 'store.json' }),
      'other than regular files',
    ],
    ['a path in an extended header', (text) => withPart(text, { name: `../${'a'.repeat(200)}` }), 'an unexpected file'],
    [
      'a size of terabytes',
      (text) => withPart(text, { name: 'branding/custom.css', size: 2 ** 40 }),
      '413 Request Entity Too Large',
    ],
    ['the same file twice', (text) => withPart(text, { name: 'store.json', content: text }), 'twice'],
  ]

  it.each(tricks)('%s', async (_, make, message) => {
    await using server = await serve()
    const text = await store(server)
    const answer = await putBack(server.boss, make(text, await backUp(server.boss)))
    expect([answer.statusCode, answer.body]).toEqual([
      message.startsWith('413') ? 413 : 400,
      expect.stringContaining(message),
    ])
    expect(await store(server)).toBe(text)
    expect((await readdir(server.context.dataFolder)).filter((name) => name.includes('restore'))).toEqual([])
  })
})

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}

function withPart(store: string, part: TarPart): Buffer {
  return tarFile([{ name: 'store.json', content: store }, part])
}
