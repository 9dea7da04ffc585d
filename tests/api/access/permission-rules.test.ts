import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { PATH_PERMISSIONS, type PathPermission, type PermissionRule } from '../../../src/domain/access/rule.ts'
import type { Explanation } from '../../../src/domain/access/explanation.ts'
import type { Listing } from '../../../src/domain/files/resource.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { PASSWORD, testApp, type Client, type RequestExtras, type TestApp } from '../../helpers/api/test-app.ts'

const only = (path: string, permissions: readonly PathPermission[]): PermissionRule => ({
  regex: false,
  path,
  regexp: null,
  permissions: [...permissions],
})
const ALL_BUT = (...without: PathPermission[]) => PATH_PERMISSIONS.filter((each) => !without.includes(each))

/** One way to do something, in the folder "/place" or from it into "/mine", where everything is permitted. */
interface Door {
  readonly what: string
  readonly needs: readonly PathPermission[]
  readonly url: string
  readonly method: HTTPMethods
  readonly extras?: RequestExtras
  /** Without the first of what it needs; reading without permission looks empty to old clients. */
  readonly refused?: number
}

const moved = (action: 'copy' | 'rename', from: string, to: string, more = '') => ({
  url: `/api/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`,
  method: 'PATCH' as const,
})

const DOORS: readonly Door[] = [
  { what: 'download', needs: ['download'], url: '/api/raw/place/a.txt', method: 'GET', refused: 202 },
  { what: 'archive', needs: ['download'], url: '/api/raw/place?algo=tar', method: 'GET', refused: 202 },
  {
    what: 'checksum',
    needs: ['download'],
    url: '/api/resources/place/a.txt?checksum=md5',
    method: 'GET',
    refused: 202,
  },
  { what: 'preview', needs: ['download'], url: '/api/preview/thumb/place/a.txt', method: 'GET', refused: 202 },
  { what: 'look into', needs: ['download'], url: '/api/archives/place/a.tar', method: 'GET', refused: 202 },
  { what: 'new file', needs: ['create'], url: '/api/resources/place/n.txt', method: 'POST', extras: { payload: 'x' } },
  { what: 'new folder', needs: ['create'], url: '/api/resources/place/n/', method: 'POST' },
  {
    what: 'upload',
    needs: ['create'],
    url: '/api/tus/place/n.bin',
    method: 'POST',
    extras: { headers: { 'upload-length': '3' } },
  },
  {
    what: 'replace',
    needs: ['modify', 'create'],
    url: '/api/resources/place/a.txt?override=true',
    method: 'POST',
    extras: { payload: 'x' },
  },
  { what: 'save', needs: ['modify'], url: '/api/resources/place/a.txt', method: 'PUT', extras: { payload: 'x' } },
  { what: 'delete', needs: ['delete'], url: '/api/resources/place/a.txt', method: 'DELETE' },
  { what: 'delete a folder', needs: ['delete'], url: '/api/resources/place/sub?trash=true', method: 'DELETE' },
  { what: 'rename', needs: ['rename'], ...moved('rename', '/place/a.txt', '/place/b.txt') },
  { what: 'copy inside', needs: ['create'], ...moved('copy', '/place/a.txt', '/place/b.txt') },
  { what: 'copy out', needs: ['download'], ...moved('copy', '/place/a.txt', '/mine/a.txt') },
  { what: 'copy in', needs: ['create'], ...moved('copy', '/mine/m.txt', '/place/m.txt') },
  { what: 'copy over', needs: ['modify', 'create'], ...moved('copy', '/mine/m.txt', '/place/a.txt', '&override=true') },
  { what: 'move out', needs: ['rename', 'delete', 'download'], ...moved('rename', '/place/a.txt', '/mine/a.txt') },
  { what: 'move in', needs: ['create'], ...moved('rename', '/mine/m.txt', '/place/m.txt') },
  {
    what: 'batch rename',
    needs: ['rename'],
    url: '/api/rename/place',
    method: 'POST',
    extras: { payload: JSON.stringify({ renames: [{ from: 'a.txt', to: 'c.txt' }] }) },
  },
  {
    what: 'share',
    needs: ['share', 'download'],
    url: '/api/share/place/a.txt',
    method: 'POST',
    extras: { payload: '{}' },
  },
  {
    what: 'file request',
    needs: ['create', 'share', 'download'],
    url: '/api/share/place',
    method: 'POST',
    extras: { payload: JSON.stringify({ terms: { allows: 'upload' } }) },
  },
  {
    what: 'grant',
    needs: ['share', 'download'],
    url: '/api/grants',
    method: 'POST',
    extras: { payload: JSON.stringify({ path: '/place/sub', to: { user: 'admin' } }) },
  },
  {
    what: 'extract out',
    needs: ['download'],
    url: '/api/extract/place/a.tar',
    method: 'POST',
    extras: { payload: '{"destination":"/mine","override":true}' },
  },
  {
    what: 'extract in',
    needs: ['create'],
    url: '/api/extract/mine/m.tar',
    method: 'POST',
    extras: { payload: '{"destination":"/place"}' },
  },
  {
    what: 'compress out',
    needs: ['download'],
    url: '/api/compress/place',
    method: 'POST',
    extras: { payload: '{"names":["a.txt"],"destination":"/mine/n.zip","override":true}' },
  },
  {
    what: 'compress in',
    needs: ['create'],
    url: '/api/compress/mine',
    method: 'POST',
    extras: { payload: '{"names":["m.txt"],"destination":"/place/n.zip"}' },
  },
]

let server: TestApp
let anna: Client
let bob: Client
let tar: Buffer

beforeAll(async () => {
  server = await testApp()
  anna = await server.user('anna', ALL_PERMISSIONS)
  bob = await server.user('bob', NO_PERMISSIONS)
  await mkdir(join(server.root, 'tar'))
  await writeFile(join(server.root, 'tar/t.txt'), 't')
  tar = (await anna.ask('GET', '/api/raw/tar?algo=tar')).rawPayload
})
afterAll(async () => await server[Symbol.asyncDispose]())

async function fresh(rules: readonly PermissionRule[]): Promise<void> {
  for (const name of ['place', 'mine']) await rm(join(server.root, name), { recursive: true, force: true })
  await mkdir(join(server.root, 'place/sub/inner'), { recursive: true })
  await mkdir(join(server.root, 'mine'))
  const files = { 'place/a.txt': 'text of a', 'place/sub/inner/deep.txt': 'deep text', 'mine/m.txt': 'm' }
  for (const [path, text] of Object.entries(files)) await writeFile(join(server.root, path), text)
  for (const path of ['place/a.tar', 'mine/m.tar']) await writeFile(join(server.root, path), tar)
  await setRules(rules)
}

async function setRules(rules: readonly PermissionRule[]): Promise<void> {
  await server.context.store.update((draft) => {
    draft.settings.permissionRules = [...rules]
  })
}

const statusOf = async (client: Client, { method, url, extras }: Door) =>
  (await client.ask(method, url, extras)).statusCode

describe.each(DOORS)('$what', (door) => {
  const mine = only('/mine', PATH_PERMISSIONS)

  it('is refused where a rule takes what the account has', async () => {
    for (const missing of door.needs) {
      await fresh([only('/place', ALL_BUT(missing))])
      expect([missing, await statusOf(anna, door)]).toEqual([missing, door.refused ?? 403])
    }
  })

  it('is done where a rule gives just that, and refused elsewhere', async () => {
    await fresh([mine, only('/place', door.needs)])
    const done = await statusOf(bob, door)
    // 501: no picture can be made of a text.
    expect([200, 201, 202, 204, 501].includes(done) && done !== door.refused, String(done)).toBe(true)
    await fresh([mine, only('/other', PATH_PERMISSIONS)])
    expect(await statusOf(bob, door)).toBe(door.refused ?? 403)
  })
})

describe('a folder around a place with fewer permissions', () => {
  const VIEW = only('/place/sub/inner', [])

  it.each([
    ['deleted', { url: '/api/resources/place', method: 'DELETE' }],
    ['put in the trash', { url: '/api/resources/place?trash=true', method: 'DELETE' }],
    ['moved', moved('rename', '/place', '/mine/place')],
    ['renamed', moved('rename', '/place/sub', '/place/other')],
    ['copied', moved('copy', '/place', '/mine/place')],
  ] as const)('cannot be %s', async (_, { url, method }) => {
    await fresh([VIEW])
    expect((await anna.ask(method, url)).statusCode).toBe(403)
  })

  it('gives an archive without what cannot be read', async () => {
    await fresh([VIEW])
    const { statusCode, body } = await anna.ask('GET', '/api/raw/?algo=tar')
    expect(statusCode).toBe(200)
    expect(body).toContain('text of a')
    expect(body).not.toContain('deep text')
    const hash = (await anna.ask('POST', '/api/share/place', { payload: '{}' })).json<{ hash: string }>().hash
    expect((await server.ask('GET', `/api/public/dl/${hash}?algo=tar`)).body).not.toContain('deep text')
    expect((await server.ask('GET', `/api/public/dl/${hash}/sub/inner/deep.txt`)).statusCode).toBe(202)
  })
})

describe('a rule with permissions', () => {
  it('holds at the target of a link', async () => {
    await fresh([only('/place', [])])
    await symlink('../place/a.txt', join(server.root, 'mine/link.txt'))
    expect((await anna.ask('GET', '/api/raw/mine/link.txt')).body).not.toContain('text of a')
    expect((await anna.ask('GET', '/api/resources/mine/link.txt')).body).not.toContain('text of a')
    const save = await anna.ask('PUT', '/api/resources/mine/link.txt', { payload: 'x' })
    expect(save.statusCode).toBe(403)
    const { url, method } = moved('copy', '/mine/link.txt', '/mine/copy.txt')
    expect((await anna.ask(method, url)).statusCode).toBe(403)
  })

  it('ends a link, and what a grant gives, as soon as the owner may not share there', async () => {
    await fresh([])
    const hash = (await anna.ask('POST', '/api/share/place', { payload: '{}' })).json<{ hash: string }>().hash
    const read = async () => (await server.ask('GET', `/api/public/dl/${hash}/a.txt`)).statusCode
    expect(await read()).toBe(200)
    await setRules([only('/place', ALL_BUT('share'))])
    expect(await read()).toBe(403)
  })

  it('gives nothing that an account is denied, or that a token does not have', async () => {
    await fresh([only('/place', PATH_PERMISSIONS)])
    const carl = await server.user('carl', NO_PERMISSIONS, { denied: ['delete'] })
    expect((await carl.ask('GET', '/api/raw/place/a.txt')).statusCode).toBe(200)
    expect((await carl.ask('DELETE', '/api/resources/place/a.txt')).statusCode).toBe(403)
    const payload = JSON.stringify({ name: 'reader', permissions: ['download'], current_password: PASSWORD })
    const { token } = (await anna.ask('POST', '/api/tokens', { payload })).json<{ token: string }>()
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.ask('GET', '/api/raw/place/a.txt', { headers })).statusCode).toBe(200)
    expect((await server.ask('DELETE', '/api/resources/place/a.txt', { headers })).statusCode).toBe(403)
  })

  it('keeps what is in the trash where it is', async () => {
    await fresh([only('/place', ['delete'])])
    expect((await bob.ask('DELETE', '/api/resources/place/a.txt?trash=true')).statusCode).toBe(204)
    const [item] = (await bob.ask('GET', '/api/trash')).json<{ id: string }[]>()
    expect((await bob.ask('POST', `/api/trash/${item?.id ?? ''}`)).statusCode).toBe(403)
    await setRules([only('/place', [])])
    expect((await bob.ask('GET', '/api/trash')).json()).toEqual([])
    expect((await bob.ask('DELETE', `/api/trash/${item?.id ?? ''}`)).statusCode).toBe(403)
  })

  it('is said by the folder only where it differs from the account', async () => {
    await fresh([only('/place', ['download'])])
    const listed = async (path: string) => (await anna.ask('GET', `/api/resources${path}`)).json<Listing>()
    const looks = { create: false, delete: false, download: true, modify: false, rename: false, share: false }
    expect((await listed('/place/')).permissions).toEqual(looks)
    expect((await listed('/place/a.txt')).permissions).toEqual(looks)
    expect(await listed('/mine/')).not.toHaveProperty('permissions')
    expect((await listed('/')).items.every((item) => !('permissions' in item))).toBe(true)
  })

  it('stays when a client of File Browser saves the account and the settings that it has read', async () => {
    await fresh([only('/place', ['download'])])
    const admin = await server.admin()
    const { services, store } = server.context
    const { id } = services.users.find('bob')
    await services.rules.add(OPERATOR, { ...only('/b', []), allow: true }, { userId: id })
    const { permissionRules, ...old } = (await admin.ask('GET', `/api/users/${id}`)).json<UserView>()
    expect(permissionRules).toEqual([only('/b', [])])
    const payload = JSON.stringify({ what: 'user', which: ['all'], current_password: PASSWORD, data: old })
    expect((await admin.ask('PUT', `/api/users/${id}`, { payload })).statusCode).toBe(200)
    const settings = await admin.ask('GET', '/api/settings')
    expect(settings.body).not.toContain('permissionRules')
    expect((await admin.ask('PUT', '/api/settings', { payload: settings.body })).statusCode).toBe(200)
    const kept = store.snapshot()
    expect(kept.users.find((user) => user.id === id)?.permissionRules).toEqual([only('/b', [])])
    expect(kept.settings.permissionRules).toEqual([only('/place', ['download'])])
    await services.rules.remove(OPERATOR, 0, 0, { userId: id })
  })

  it('is named with its group and the permission by "why"', async () => {
    await fresh([])
    const { services } = server.context
    const group = await services.groups.create(OPERATOR, { name: 'Crew' })
    await services.groups.changeMembers(OPERATOR, group.id, { add: [services.users.find('anna').id] })
    await services.rules.add(OPERATOR, { ...only('/place', ['create']), allow: true }, { groupId: group.id })
    const admin = await server.admin()
    const why = async (action: string, path: string) =>
      (await admin.ask('GET', `/api/why?user=anna&action=${action}&path=${path}`)).json<Explanation>()
    const refused = await why('delete', '/place/a.txt')
    expect(refused.obstacles.map(({ message }) => message)).toEqual([
      'rule 0 of the group Crew (/place) does not give the permission "delete" for /place/a.txt',
    ])
    expect((await why('delete', '/mine/m.txt')).allowed).toBe(true)
    expect((await why('create', '/place/n.txt')).permissionRules).toMatchObject([
      { permission: 'create', has: true, placed: { list: 'group', group: 'Crew' } },
    ])
    expect((await why('delete', '/')).allowed).toBe(false)
    await services.groups.remove(OPERATOR, group.id)
  })
})
