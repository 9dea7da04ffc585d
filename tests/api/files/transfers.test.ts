import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FlatResource } from '../../../src/domain/files/resource.ts'
import { testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const MAY = { create: true, rename: true, modify: true, delete: true }

async function patch(client: Client, from: string, query: Readonly<Record<string, string>>) {
  return await client.ask('PATCH', `/api/resources${from}?${new URLSearchParams(query).toString()}`)
}

async function all(client: Client): Promise<string[]> {
  return (await client.ask('GET', '/api/resources/recursive/')).json<FlatResource[]>().map(({ path }) => path)
}

const read = async ({ root }: TestApp, name: string) => await readFile(join(root, name), 'utf8')

describe.each(['copy', 'rename'])('PATCH /api/resources with action=%s', (action) => {
  it('takes a file or a folder, also into a missing folder', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a', 'dir/sub/b.txt': 'b' } })
    const ann = await server.user('ann', MAY)
    const answer = await patch(ann, '/a.txt', { action, destination: '/new/a b.txt' })
    expect([answer.statusCode, answer.body]).toEqual([200, '200 OK\n'])
    expect((await patch(ann, '/dir/', { action, destination: 'new/dir/' })).statusCode).toBe(200)
    expect(await read(server, 'new/a b.txt')).toBe('a')
    expect(await read(server, 'new/dir/sub/b.txt')).toBe('b')
    expect((await readdir(server.root)).toSorted()).toEqual(action === 'copy' ? ['a.txt', 'dir', 'new'] : ['new'])
  })

  it('decodes the destination twice', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', MAY)
    expect((await patch(ann, '/a.txt', { action, destination: '/50%25%20off%2B' })).statusCode).toBe(200)
    expect(await read(server, '50% off+')).toBe('a')
  })

  it('keeps an existing file, unless override is true', async () => {
    await using server = await testApp({ files: { 'a.txt': 'new', 'b.txt': 'old' } })
    const ann = await server.user('ann', MAY)
    for (const override of ['', 'false', 'TRUE', '1']) {
      expect((await patch(ann, '/a.txt', { action, destination: '/b.txt', override })).body).toBe('409 Conflict\n')
    }
    expect(await read(server, 'b.txt')).toBe('old')
    expect((await patch(ann, '/a.txt', { action, destination: '/b.txt', override: 'true' })).statusCode).toBe(200)
    expect(await read(server, 'b.txt')).toBe('new')
  })

  it('needs the permission to modify for override, even when nothing is replaced', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', { ...MAY, modify: false })
    expect((await patch(ann, '/a.txt', { action, destination: '/b', override: 'true' })).statusCode).toBe(403)
    const both = { action, destination: '/b', override: 'true', rename: 'true' }
    expect((await patch(ann, '/a.txt', both)).statusCode).toBe(403)
    expect(await all(ann)).toEqual(['/a.txt'])
  })

  it.each([
    ['a.txt', 'a(2).txt'],
    ['archive.tar.gz', 'archive.tar(1).gz'],
    ['.profile', '(1).profile'],
    ['dir', 'dir(1)'],
  ])('finds a free name for %s', async (name, other) => {
    const files = { 'to/a.txt': '', 'to/a(1).txt': '', 'to/archive.tar.gz': '', 'to/.profile': '', 'to/dir/': '' }
    await using server = await testApp({ files: { ...files, [name === 'dir' ? 'dir/' : name]: '' } })
    const ann = await server.user('ann', MAY)
    expect((await patch(ann, `/${name}`, { action, destination: `/to/${name}`, rename: 'true' })).statusCode).toBe(200)
    expect(await readdir(join(server.root, 'to'))).toContain(other)
  })

  it('merges a folder into another one', async () => {
    await using server = await testApp({ files: { 'a/x': 'new', 'a/sub/y': 'y', 'b/x': 'old', 'b/z': 'z' } })
    const ann = await server.user('ann', MAY)
    expect((await patch(ann, '/a', { action, destination: '/b', override: 'true' })).statusCode).toBe(200)
    expect((await all(ann)).filter((path) => path.startsWith('/b'))).toEqual([
      '/b',
      '/b/sub',
      '/b/sub/y',
      '/b/x',
      '/b/z',
    ])
    expect(await read(server, 'b/x')).toBe('new')
    expect(await readdir(server.root)).toEqual(action === 'copy' ? ['a', 'b'] : ['b'])
  })

  it('never replaces a folder with a file, nor a file with a folder', async () => {
    await using server = await testApp({ files: { file: 'kept', 'dir/': '' } })
    const ann = await server.user('ann', MAY)
    expect((await patch(ann, '/file', { action, destination: '/dir', override: 'true' })).statusCode).toBe(409)
    expect((await patch(ann, '/dir', { action, destination: '/file', override: 'true' })).statusCode).toBe(409)
    expect(await all(ann)).toEqual(['/dir', '/file'])
  })

  it('refuses a destination in the source', async () => {
    await using server = await testApp({ files: { 'dir/a.txt': 'a' } })
    const ann = await server.user('ann', MAY)
    for (const from of ['/dir', '/dir/a.txt']) {
      const answer = await patch(ann, from, { action, destination: `${from}/x` })
      expect(answer.body).toBe('400 Bad Request (source is parent)\n')
    }
  })

  it('answers 404 for a missing source', async () => {
    await using server = await testApp()
    const ann = await server.user('ann', MAY)
    expect((await patch(ann, '/none', { action, destination: '/b' })).statusCode).toBe(404)
  })

  it('needs its permission, which is checked last', async () => {
    await using server = await testApp({ files: { a: '', b: '' } })
    const ann = await server.user('ann', { [action === 'copy' ? 'rename' : 'create']: true })
    expect((await patch(ann, '/a', { action, destination: '/b' })).statusCode).toBe(409)
    expect((await patch(ann, '/a', { action, destination: '/c' })).statusCode).toBe(403)
    expect(await all(ann)).toEqual(['/a', '/b'])
  })

  it('does nothing when a rule denies anything in a folder, at its source or its destination', async () => {
    await using server = await testApp({ files: { 'dir/sub/secret': 's', 'plain/sub/hidden': 'h' } })
    const rule = (path: string) => ({ regex: false, allow: false, path, regexp: null })
    const ann = await server.user('ann', MAY, { rules: [rule('/dir/sub/secret'), rule('/to/sub/hidden')] })
    expect((await patch(ann, '/dir', { action, destination: '/other' })).statusCode).toBe(403)
    expect((await patch(ann, '/plain', { action, destination: '/to' })).statusCode).toBe(403)
    expect((await patch(ann, '/plain', { action, destination: '/dir/sub/secret/x' })).statusCode).toBe(403)
    expect((await readdir(server.root)).toSorted()).toEqual(['dir', 'plain'])
  })
})

describe('PATCH /api/resources', () => {
  it('refuses an unknown action', async () => {
    await using server = await testApp({ files: { a: '' } })
    const ann = await server.user('ann', MAY)
    const answer = await patch(ann, '/a', { action: 'zap', destination: '/b' })
    expect(answer.body).toBe('400 Bad Request (unsupported action zap: invalid request params)\n')
  })

  it('moves nothing onto itself, and copies only under another name', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', MAY)
    const same = { destination: '/a.txt' }
    expect((await patch(ann, '/a.txt', { ...same, action: 'rename' })).statusCode).toBe(200)
    expect((await patch(ann, '/a.txt', { ...same, action: 'rename', rename: 'true' })).statusCode).toBe(200)
    expect((await patch(ann, '/a.txt', { ...same, action: 'copy' })).statusCode).toBe(409)
    expect((await patch(ann, '/a.txt', { ...same, action: 'copy', override: 'true' })).statusCode).toBe(409)
    expect((await patch(ann, '/a.txt', { ...same, action: 'copy', rename: 'true' })).statusCode).toBe(200)
    expect(await all(ann)).toEqual(['/a(1).txt', '/a.txt'])
  })

  it('copies what a link leads to, and moves the link itself', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    await symlink('a.txt', join(server.root, 'link'))
    await symlink('nothing', join(server.root, 'dangling'))
    const ann = await server.user('ann', MAY)
    expect((await patch(ann, '/link', { action: 'copy', destination: '/copy' })).statusCode).toBe(200)
    expect((await patch(ann, '/link', { action: 'rename', destination: '/moved' })).statusCode).toBe(200)
    expect((await patch(ann, '/dangling', { action: 'rename', destination: '/dangling2' })).statusCode).toBe(200)
    const entries = await readdir(server.root, { withFileTypes: true })
    expect(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)).toEqual(['dangling2', 'moved'])
  })
})

describe('DELETE /api/resources', () => {
  it('deletes a file, a folder with its content, and a link but not its target', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a', 'dir/sub/b.txt': 'b', 'kept.txt': 'k' } })
    await symlink('kept.txt', join(server.root, 'link'))
    const ann = await server.user('ann', MAY)
    for (const url of ['/a.txt/', '/dir', '/link']) {
      const answer = await ann.ask('DELETE', `/api/resources${url}`)
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
    }
    expect(await readdir(server.root)).toEqual(['kept.txt'])
  })

  it('answers 404 for a missing file, and keeps the root', async () => {
    await using server = await testApp({ files: { a: '' } })
    const ann = await server.user('ann', MAY)
    expect((await ann.ask('DELETE', '/api/resources/none')).statusCode).toBe(404)
    expect((await ann.ask('DELETE', '/api/resources/')).statusCode).toBe(403)
    expect(await readdir(server.root)).toEqual(['a'])
  })

  it('does nothing when a rule denies anything in the folder', async () => {
    await using server = await testApp({ files: { 'dir/a': 'a', 'dir/sub/secret': 's' } })
    const rules = [{ regex: false, allow: false, path: '/dir/sub/secret', regexp: null }]
    const ann = await server.user('ann', MAY, { rules })
    expect((await ann.ask('DELETE', '/api/resources/dir')).statusCode).toBe(403)
    expect((await ann.ask('DELETE', '/api/resources/dir?trash=true')).statusCode).toBe(403)
    expect(await read(server, 'dir/a')).toBe('a')
  })

  it('deletes hidden files together with their folder', async () => {
    await using server = await testApp({ files: { 'dir/.hidden': 'h' } })
    const ann = await server.user('ann', MAY, { hideDotfiles: true })
    expect((await ann.ask('DELETE', '/api/resources/dir/.hidden')).statusCode).toBe(403)
    expect((await ann.ask('DELETE', '/api/resources/dir')).statusCode).toBe(204)
    expect(await readdir(server.root)).toEqual([])
  })
})

it('a move that replaces a file needs the permission to modify, and none to create', async () => {
  await using server = await testApp({ files: { 'a.txt': 'a', 'b.txt': 'b' } })
  const url = '/api/resources/a.txt?action=rename&override=true&destination=%2Fb.txt'
  const ben = await server.user('ben', { rename: true, create: true })
  expect((await ben.ask('PATCH', url)).statusCode).toBe(403)
  const ann = await server.user('ann', { rename: true, modify: true })
  expect((await ann.ask('PATCH', url)).statusCode).toBe(200)
})
