import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { NewApiToken } from '../../../src/domain/accounts/api-token.ts'
import { MAX_CHANGES, type TrashOutcome, type TrashRequest } from '../../../src/domain/files/change-many.ts'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import type { AuditPage } from '../../../src/domain/server/audit.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'

const MAY = { create: true, delete: true }
const UNKNOWN = '0'.repeat(16)

const listed = async (client: Client) => (await client.ask('GET', '/api/trash')).json<TrashItem[]>()
const send = async (client: Client, request: TrashRequest) =>
  await client.ask('POST', '/api/trash', {
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(request),
  })

async function change(client: Client, action: TrashRequest['action'], ids: readonly string[]): Promise<string[]> {
  const answer = await send(client, { action, ids: [...ids] })
  expect(answer.statusCode, answer.body).toBe(200)
  const outcomes = answer.json<TrashOutcome[]>()
  expect(outcomes.map(({ id }) => id)).toEqual(ids)
  return outcomes.map(({ path, error }) => error?.code ?? path ?? 'done')
}

async function trashed(client: Client, ...paths: readonly string[]): Promise<string[]> {
  for (const path of paths)
    expect((await client.ask('DELETE', `/api/resources${path}?trash=true`)).statusCode).toBe(204)
  const items = await listed(client)
  return paths.map((path) => items.find((item) => item.path === path)?.id ?? expect.fail(path))
}

async function tree({ root }: TestApp): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('/.'))
  return files.map((entry) => join(entry.parentPath, entry.name).slice(root.length)).toSorted()
}

describe('many items of the trash, with one request,', () => {
  it('are restored, each with its own outcome and its own entry in the activity log', async () => {
    await using server = await testApp({ files: { a: 'a', 'in/b': 'b', 'in/c': 'c', 'folder/x': 'x' } })
    const ann = await server.user('ann', MAY)
    const ids = await trashed(ann, '/a', '/in/b', '/in/c', '/folder')
    await ann.ask('POST', '/api/resources/a', { payload: 'new' })
    const rule = { allow: false, regex: false, path: '/in/c', regexp: { raw: '' } }
    await server.context.services.rules.add(OPERATOR, rule)
    expect(await change(ann, 'restore', [...ids, UNKNOWN])).toEqual([
      '/a(1)',
      '/in/b',
      'FORBIDDEN',
      '/folder',
      'NOT_FOUND',
    ])
    expect(await tree(server)).toEqual(['/a', '/a(1)', '/folder/x', '/in/b'])
    expect(await readFile(join(server.root, 'a(1)'), 'utf8')).toBe('a')
    const admin = await server.admin()
    const log = (await admin.ask('GET', '/api/audit?action=trash.restore')).json<AuditPage>().entries
    expect(log.map(({ target, outcome }) => `${target} ${outcome}`).toSorted()).toEqual(
      [...ids, UNKNOWN].map((id, index) => `${id} ${index === 2 || index === 4 ? 'refused' : 'done'}`).toSorted(),
    )
  })

  it('come back next to each other if they had the same name', async () => {
    await using server = await testApp({ files: { a: 'first' } })
    const ann = await server.user('ann', MAY)
    const first = await trashed(ann, '/a')
    await ann.ask('POST', '/api/resources/a', { payload: 'second' })
    await ann.ask('DELETE', '/api/resources/a?trash=true')
    const ids = (await listed(ann)).map(({ id }) => id).toSorted((one) => (first.includes(one) ? -1 : 1))
    expect(await change(ann, 'restore', ids)).toEqual(['/a', '/a(1)'])
    expect(await readFile(join(server.root, 'a'), 'utf8')).toBe('first')
    expect(await readFile(join(server.root, 'a(1)'), 'utf8')).toBe('second')
  })

  it('come back into their folder, which comes first', async () => {
    await using server = await testApp({ files: { 'folder/a': 'a', 'folder/b': 'b' } })
    const ann = await server.user('ann', MAY)
    const [inner = '', outer = ''] = await trashed(ann, '/folder/a', '/folder')
    expect(await change(ann, 'restore', [outer, inner])).toEqual(['/folder', '/folder/a'])
    expect(await tree(server)).toEqual(['/folder/a', '/folder/b'])
  })

  it('are deleted forever, and then are in nobody’s way', async () => {
    await using server = await testApp({ files: { a: 'a', b: 'b', 'folder/x': 'x' } })
    const ann = await server.user('ann', MAY)
    const [a = '', b = '', folder = ''] = await trashed(ann, '/a', '/b', '/folder')
    expect(await change(ann, 'delete', [a, folder, a])).toEqual(['done', 'done', 'NOT_FOUND'])
    expect((await listed(ann)).map(({ id }) => id)).toEqual([b])
    expect(await change(ann, 'restore', [folder, b])).toEqual(['NOT_FOUND', '/b'])
  })

  it('need the permission for each, and are those of the user', async () => {
    await using server = await testApp({ files: { a: 'a', 'home/b': 'b' } })
    const ann = await server.user('ann', MAY)
    const ids = await trashed(ann, '/a')
    const eve = await server.user('eve', MAY)
    const bob = await server.user('bob', MAY, { scope: '/home' })
    for (const action of ['restore', 'delete'] as const) {
      expect(await change(eve, action, ids)).toEqual(['NOT_FOUND'])
      expect(await change(bob, action, ids)).toEqual(['NOT_FOUND'])
    }
    const deletes = await server.user('deletes', { delete: true })
    expect(await change(deletes, 'restore', await trashed(deletes, '/home/b'))).toEqual(['FORBIDDEN'])
    const { users, apiTokens } = server.context.services
    const creates = { name: 'creates', permissions: ['create'] } as NewApiToken
    const { token } = await apiTokens.create(OPERATOR, creates, { owner: users.find('ann').id })
    const byToken: Client = {
      token,
      ask: async (method, url, extras) =>
        await server.ask(method, url, { ...extras, headers: { ...extras?.headers, 'x-auth': token } }),
    }
    expect(await change(byToken, 'delete', ids)).toEqual(['FORBIDDEN'])
    expect(await change(byToken, 'restore', ids)).toEqual(['/a'])
    expect(await tree(server)).toEqual(['/a'])
  })

  it('are only those that the folder of a token has had', async () => {
    await using server = await testApp({ files: { 'dir/a': 'a', b: 'b' } })
    const ann = await server.user('ann', MAY)
    const ids = await trashed(ann, '/dir/a', '/b')
    const { users, apiTokens } = server.context.services
    const order = { name: 'dir', permissions: ['create', 'delete'], path: '/dir' } as NewApiToken
    const { token } = await apiTokens.create(OPERATOR, order, { owner: users.find('ann').id })
    const byToken: Client = {
      token,
      ask: async (method, url, extras) =>
        await server.ask(method, url, { ...extras, headers: { ...extras?.headers, 'x-auth': token } }),
    }
    expect(await change(byToken, 'delete', ids.slice(1))).toEqual(['NOT_FOUND'])
    expect(await change(byToken, 'restore', ids)).toEqual(['/dir/a', 'FORBIDDEN'])
    expect(await tree(server)).toEqual(['/dir/a'])
  })

  it('come back to a folder that is gone by now', async () => {
    await using server = await testApp({ files: { 'in/a': 'a', 'in/b': 'b' } })
    const ann = await server.user('ann', MAY)
    const ids = await trashed(ann, '/in/a', '/in/b')
    await rm(join(server.root, 'in'), { recursive: true })
    expect(await change(ann, 'restore', ids)).toEqual(['/in/a', '/in/b'])
  })

  it('are at least one and not more than the limit, by plain ids', async () => {
    await using server = await testApp({ files: { a: 'a' } })
    const ann = await server.user('ann', MAY)
    await trashed(ann, '/a')
    expect((await send(ann, { action: 'delete', ids: [] })).statusCode).toBe(400)
    const many = Array.from({ length: MAX_CHANGES + 1 }, () => UNKNOWN)
    expect((await send(ann, { action: 'delete', ids: many })).statusCode).toBe(400)
    const others = ['../../../home/ab', '................', 'record.json%2F..']
    expect(await change(ann, 'delete', others)).toEqual(others.map(() => 'NOT_FOUND'))
    expect(await listed(ann)).toHaveLength(1)
  })
})
