import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { NewApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { AuditPage } from '../../../src/domain/server/audit.ts'
import { type ChangeOutcome, type ChangeRequest, MAX_CHANGES } from '../../../src/domain/files/change-many.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'

async function send(client: Client, folder: string, request: ChangeRequest) {
  const headers = { 'content-type': 'application/json' }
  return await client.ask('POST', `/api/changes/${folder}`, { headers, payload: JSON.stringify(request) })
}

async function change(client: Client, folder: string, request: ChangeRequest): Promise<string[]> {
  const answer = await send(client, folder, request)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<ChangeOutcome[]>().map(({ path, error, job }) => `${path} ${error?.code ?? job?.kind ?? 'done'}`)
}

async function tree({ root }: TestApp): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('/.'))
  return files.map((entry) => join(entry.parentPath, entry.name).slice(root.length)).toSorted()
}

async function logged(server: TestApp, action: string): Promise<AuditPage['entries']> {
  const admin = await server.admin()
  return (await admin.ask('GET', `/api/audit?action=${action}`)).json<AuditPage>().entries.toReversed()
}

const all = { create: true, modify: true, rename: true, delete: true, download: true }
const denied = (path: string) => [{ allow: false, regex: false, path, regexp: { raw: '' } }]

describe('many entries changed with one request', () => {
  it('are moved, each with its own outcome and its own entry in the activity log', async () => {
    const files = { 'home/in/a': 'a', 'home/in/b': 'b', 'home/in/c': 'c', 'home/out/b': 'old', 'home/secret/x': 'x' }
    await using server = await testApp({ files, settings: { rules: denied('/secret') } })
    const ann = await server.user('ann', all, { scope: '/home' })
    const items = ['a', 'b', 'gone', '../secret/x'].map((path) => ({ path, destination: `/out/${path.slice(-4)}` }))
    const into = { path: 'c', destination: '/secret/c' }
    expect(await change(ann, 'in', { action: 'move', items: [...items, into] })).toEqual([
      ...['a done', 'b CONFLICT', 'gone NOT_FOUND', '../secret/x INVALID_INPUT', 'c FORBIDDEN'],
    ])
    expect(await tree(server)).toEqual(['/home/in/b', '/home/in/c', '/home/out/a', '/home/out/b', '/home/secret/x'])
    const entries = await logged(server, 'files.transfer')
    expect(entries).toHaveLength(5)
    expect(entries).toContainEqual(
      expect.objectContaining({
        who: 'ann',
        target: '/home/in/a',
        destination: '/home/out/a',
        effect: 'moved',
        outcome: 'done',
      }),
    )
    expect(entries).toContainEqual(expect.objectContaining({ target: '/home/in/b', outcome: 'refused' }))
  })

  it('need the permission for each, and stay in the folder of the user', async () => {
    await using server = await testApp({ files: { 'home/a': 'a', 'home/b': 'b', outside: 'x' } })
    const reader = await server.user('reader', { download: true }, { scope: '/home' })
    const items = ['a', '../outside'].map((path) => ({ path, destination: '/new' }))
    for (const action of ['copy', 'move', 'trash', 'delete'] as const)
      expect((await change(reader, '', { action, items }))[0]).toBe('a FORBIDDEN')
    const ann = await server.user('ann', all, { scope: '/home' })
    const [, up] = await change(ann, '', { action: 'delete', items })
    expect(up).not.toBe('../outside done')
    expect(await tree(server)).toEqual(['/home/b', '/outside'])
  })

  it('never leave the scope or the folder of a token, by the address, a path or a destination', async () => {
    await using server = await testApp({ files: { 'home/dir/x': 'x', 'home/y': 'y', 'outside/secret.txt': 'secret' } })
    await symlink('../outside', join(server.root, 'home/linkdir'))
    const ann = await server.user('ann', all, { scope: '/home' })
    const { apiTokens, users } = server.context.services
    const order = { name: 'dir', permissions: ['create', 'modify', 'rename', 'delete', 'download'], path: '/dir' }
    const { token } = await apiTokens.create(OPERATOR, order as NewApiToken, { owner: users.find('ann').id })
    const paths = ['linkdir/secret.txt', '../outside/secret.txt', './../outside/secret.txt', 'secret.txt']
    for (const folder of ['', 'linkdir', '..%2Foutside', '..%252Foutside', 'linkdir%2F..%2F..%2Foutside']) {
      for (const action of ['copy', 'move', 'trash', 'delete'] as const) {
        const items = paths.map((path, index) => ({ path, destination: `/stolen ${index}` }))
        await send(ann, folder, { action, items })
      }
    }
    const out = { path: 'y', destination: '/linkdir/y' }
    expect(await change(ann, '', { action: 'copy', items: [out] })).not.toEqual(['y done'])
    const byToken: Client = {
      token,
      ask: async (method, url, extras) =>
        await server.ask(method, url, { ...extras, headers: { ...extras?.headers, 'x-auth': token } }),
    }
    const items = [
      { path: 'y', destination: '/dir/y' },
      { path: 'dir/x', destination: '/x' },
      { path: 'dir/x', destination: '/dir/z' },
    ]
    expect(await change(byToken, '', { action: 'move', items })).toEqual([
      'y FORBIDDEN',
      'dir/x FORBIDDEN',
      'dir/x done',
    ])
    expect(await tree(server)).toEqual(['/home/dir/z', '/home/y', '/outside/secret.txt'])
  })

  it('are trashed, or deleted forever; folders by jobs', async () => {
    await using server = await testApp({ files: { a: 'a', b: 'b', c: 'c', 'folder/x': 'x' } })
    const ann = await server.user('ann', all)
    expect(await change(ann, '', { action: 'trash', items: [{ path: 'a' }, { path: 'b' }] })).toEqual([
      'a done',
      'b done',
    ])
    const trash = (await ann.ask('GET', '/api/trash')).json<{ path: string }[]>()
    expect(trash.map(({ path }) => path).toSorted()).toEqual(['/a', '/b'])
    const items = [{ path: 'c' }, { path: 'folder' }]
    expect(await change(ann, '', { action: 'delete', items })).toEqual(['c done', 'folder delete'])
    expect(
      (await logged(server, 'files.remove')).map(({ target, effect }) => `${target} ${effect}`).toSorted(),
    ).toEqual([...['/a trashed', '/b trashed', '/c deleted', '/folder deleted']])
  })

  it('are refused as a whole without a trash', async () => {
    await using server = await testApp({ files: { a: 'a' }, settings: { trash: { days: 0 } } })
    const ann = await server.user('ann', all)
    const answer = await send(ann, '', { action: 'trash', items: [{ path: 'a' }] })
    expect(answer.statusCode).toBe(400)
    expect(await tree(server)).toEqual(['/a'])
  })

  it('are changed in order where one depends on another', async () => {
    await using server = await testApp({ files: { a: 'a', b: 'b', 'dir/x': 'x' } })
    const ann = await server.user('ann', all)
    const items = [
      { path: 'a', destination: '/swap' },
      { path: 'b', destination: '/a' },
      { path: 'swap', destination: '/b' },
      { path: 'dir/x', destination: '/x' },
      { path: 'x', destination: '/dir/y' },
    ]
    expect(await change(ann, '', { action: 'move', items })).toEqual(items.map(({ path }) => `${path} done`))
    expect(await readFile(join(server.root, 'a'), 'utf8')).toBe('b')
    expect(await readFile(join(server.root, 'b'), 'utf8')).toBe('a')
    expect(await tree(server)).toEqual(['/a', '/b', '/dir/y'])
  })

  it('are at least one and not more than the limit', async () => {
    await using server = await testApp({ files: { a: 'a' } })
    const ann = await server.user('ann', all)
    const items = Array.from({ length: MAX_CHANGES + 1 }, (_, index) => ({ path: `missing ${index}` }))
    expect((await send(ann, '', { action: 'delete', items })).statusCode).toBe(400)
    expect((await send(ann, '', { action: 'delete', items: [] })).statusCode).toBe(400)
    expect(await change(ann, '', { action: 'delete', items: [{ path: 'a' }] })).toEqual(['a done'])
  })
})
