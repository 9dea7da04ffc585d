import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/domain/automation/job.ts'
import type { ShareView } from '../../../src/domain/shares/share.ts'
import { detailsOf, download, MAY_SHARE, serveShared, shareOf, visit } from '../../helpers/api/shared.ts'
import type { Client } from '../../helpers/api/test-app.ts'

const FILES = { 'docs/a.txt': 'alpha', 'docs/sub/b.txt': 'beta', 'docs2/c.txt': 'gamma', 'home/own.txt': 'own' }
const ALL = { ...MAY_SHARE, create: true, rename: true, modify: true, delete: true }

async function serve() {
  const { server, ann } = await serveShared({ files: FILES }, ALL)
  const at = (name: string) => join(server.root, name)
  const statusOf = async (share: ShareView, rest = '') => (await visit(server, share, rest)).statusCode
  return { server, ann, at, statusOf }
}

async function move(client: Client, from: string, to: string, more = ''): Promise<void> {
  const url = `/api/resources${from}?action=rename&destination=${encodeURIComponent(to)}${more}`
  const { statusCode, body } = await client.ask('PATCH', url)
  if (statusCode !== 200) throw new Error(body)
}

describe('a share whose files change through filemgr', () => {
  it('follows moves of its folder or file, and keeps its trailing slash', async () => {
    const { server, ann, statusOf } = await serve()
    await using _server = server
    const folder = await shareOf(ann, '/docs/')
    const file = await shareOf(ann, '/docs/sub/b.txt')
    const other = await shareOf(ann, '/docs2')
    await move(ann, '/docs', '/papers')
    expect(await detailsOf(ann, folder)).toMatchObject({ path: '/papers/', target: 'bound' })
    expect(await detailsOf(ann, file)).toMatchObject({ path: '/papers/sub/b.txt', target: 'bound' })
    expect(await detailsOf(ann, other)).toMatchObject({ path: '/docs2', target: 'bound' })
    expect([await statusOf(folder, '/sub'), await statusOf(file)]).toEqual([200, 200])
    expect((await download(server, file)).headers['content-disposition']).toContain('b.txt')
  })

  it('follows moves by any user, in the scope of its owner', async () => {
    const { server, statusOf } = await serve()
    await using _server = server
    const [admin, bob] = [await server.admin(), await server.user('bob', ALL, { scope: '/home' })]
    const share = await shareOf(bob, '/own.txt')
    await move(admin, '/home/own.txt', '/home/deep/renamed.txt')
    expect(await detailsOf(bob, share)).toMatchObject({ path: '/deep/renamed.txt', target: 'bound' })
    await move(admin, '/home/deep', '/docs/taken')
    expect(await detailsOf(bob, share)).toMatchObject({ path: '/deep/renamed.txt', target: 'missing' })
    expect(await statusOf(share)).toBe(404)
  })

  it('is removed when its files are deleted or trashed, for any owner', async () => {
    const { server, ann, statusOf } = await serve()
    await using _server = server
    const [admin, bob] = [await server.admin(), await server.user('bob', ALL, { scope: '/docs' })]
    const shares = [
      await shareOf(ann, '/docs/sub/b.txt'),
      await shareOf(bob, '/sub'),
      await shareOf(admin, '/docs/sub/'),
    ]
    const stays = await shareOf(ann, '/docs/a.txt')
    expect((await ann.ask('DELETE', '/api/resources/docs/sub/?trash=true')).statusCode).toBe(204)
    expect(server.context.store.snapshot().shares.map(({ hash }) => hash)).toEqual([stays.hash])
    for (const share of shares) expect(await statusOf(share)).toBe(404)
    await ann.ask('DELETE', '/api/resources/docs/a.txt')
    expect(server.context.store.snapshot().shares).toEqual([])
  })

  it.each([
    ['saving', 'PUT', '/api/resources/docs/a.txt'],
    ['overwriting', 'POST', '/api/resources/docs/a.txt?override=true'],
  ] as const)('stays valid through %s, which gives its file another inode', async (_name, method, url) => {
    const { server, ann, statusOf } = await serve()
    await using _server = server
    const [file, folder] = [await shareOf(ann, '/docs/a.txt'), await shareOf(ann, '/docs')]
    expect((await ann.ask(method, url, { payload: 'new' })).statusCode).toBe(200)
    expect((await download(server, file)).body).toBe('new')
    expect(await statusOf(folder)).toBe(200)
  })

  it('stays valid when its file is written through a link', async () => {
    const { server, ann, at } = await serve()
    await using _server = server
    await symlink('docs/a.txt', at('link'))
    const share = await shareOf(ann, '/docs/a.txt')
    expect((await ann.ask('PUT', '/api/resources/link', { payload: 'new' })).statusCode).toBe(200)
    expect((await download(server, share)).body).toBe('new')
  })

  it('stays valid through a resumable upload over its file', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs/a.txt')
    const url = '/api/tus/docs/a.txt'
    await ann.ask('POST', `${url}?override=true`, { headers: { 'upload-length': '3' } })
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await ann.ask('PATCH', url, { headers, payload: 'new' })).statusCode).toBe(204)
    expect((await download(server, share)).body).toBe('new')
  })

  it('stays valid when something is copied or moved over its files', async () => {
    const { server, ann, at } = await serve()
    await using _server = server
    const [file, deep] = [await shareOf(ann, '/docs/a.txt'), await shareOf(ann, '/docs/sub/b.txt')]
    await ann.ask('PATCH', '/api/resources/docs2/c.txt?action=copy&destination=%2Fdocs%2Fa.txt&override=true')
    expect((await download(server, file)).body).toBe('gamma')
    await mkdir(at('docs3'))
    await writeFile(at('docs3/b.txt'), 'merged')
    await move(ann, '/docs3', '/docs/sub', '&override=true')
    const jobs = (await ann.ask('GET', '/api/jobs')).json<Job[]>()
    expect(jobs.map(({ state }) => state)).not.toContain('failed')
    expect((await download(server, deep)).body).toBe('merged')
    await move(ann, '/docs2/c.txt', '/docs/a.txt', '&override=true')
    expect((await download(server, file)).body).toBe('gamma')
  })
})

describe('a share whose file was replaced by another program', () => {
  it('is closed until the old folder is back, though the path is the same', async () => {
    const { server, ann, at, statusOf } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    await rename(at('docs'), at('elsewhere'))
    expect(await detailsOf(ann, share)).toMatchObject({ target: 'missing' })
    await mkdir(at('docs'))
    await writeFile(at('docs/salaries.txt'), 'secret')
    expect([await statusOf(share), (await download(server, share, '/salaries.txt')).statusCode]).toEqual([404, 404])
    await rm(at('docs'), { recursive: true })
    await rename(at('elsewhere'), at('docs'))
    expect(await statusOf(share)).toBe(200)
  })

  it('is not opened again by writes through filemgr', async () => {
    const { server, ann, at, statusOf } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs/a.txt')
    await writeFile(at('other.txt'), 'secret')
    await rename(at('other.txt'), at('docs/a.txt'))
    await ann.ask('PUT', '/api/resources/docs/a.txt', { payload: 'more of the secret' })
    expect(await statusOf(share)).toBe(404)
    await rm(at('docs/a.txt'))
    await ann.ask('POST', '/api/resources/docs/a.txt', { payload: 'another file' })
    await move(ann, '/docs', '/papers')
    expect(await statusOf(share)).toBe(404)
    expect(await readFile(at('papers/a.txt'), 'utf8')).toBe('another file')
  })

  it('is closed until its owner confirms it, and so is one whose owner got another scope', async () => {
    const { server, statusOf, at } = await serve()
    await using _server = server
    const bob = await server.user('bob', ALL, { scope: '/home' })
    const share = await shareOf(bob, '/own.txt')
    await mkdir(at('away'))
    await rename(at('home/own.txt'), at('away/own.txt'))
    await server.context.store.update((draft) => {
      for (const user of draft.users) if (user.username === 'bob') user.scope = '/away'
    })
    expect(await detailsOf(bob, share)).toMatchObject({ target: 'changed' })
    expect(await statusOf(share)).toBe(404)
    await bob.ask('PUT', `/api/shares/${share.hash}`, { payload: '{"rebind":true}' })
    expect(await statusOf(share)).toBe(200)
  })

  it('is closed, and so is a record that was never bound to a file', async () => {
    const { server, ann, statusOf } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    await server.context.store.update((draft) => {
      for (const record of draft.shares) delete record.target
    })
    expect([await statusOf(share), (await detailsOf(ann, share)).target]).toEqual([404, 'changed'])
  })
})

it('a save that fails leaves a share as it was', async () => {
  const { server, ann, statusOf } = await serve()
  await using _server = server
  const share = await shareOf(ann, '/docs/a.txt')
  const headers = { 'if-match': '"another"' }
  expect((await ann.ask('PUT', '/api/resources/docs/a.txt', { payload: 'new', headers })).statusCode).toBe(412)
  expect(await statusOf(share)).toBe(200)
})
