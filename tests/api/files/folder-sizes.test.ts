import { rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { NewApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { FlatResource, FolderSizes } from '../../../src/domain/files/resource.ts'
import type { Rule } from '../../../src/domain/access/rule.ts'
import { testApp, type Client } from '../../helpers/api/test-app.ts'

const FILES = { 'a/b/1.txt': '1', 'a/2.txt': '22', 'c/deny/3.txt': '333', 'c/.4.txt': '4444', '5.txt': '55555' }
const MAY = { create: true, modify: true, rename: true, delete: true }
const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })

async function ask(client: Client, folder: string, query = ''): Promise<FolderSizes> {
  return (await client.ask('GET', `/api/sizes${folder}${query}`)).json<FolderSizes>()
}

/** The bytes of the folders in a folder, by names, once all are counted. */
async function sizesIn(client: Client, folder = '/'): Promise<Record<string, number>> {
  await ask(client, folder, '?measure=true')
  await expect.poll(async () => (await ask(client, folder)).job).toBeUndefined()
  return Object.fromEntries((await ask(client, folder)).sizes.map(({ name, bytes }) => [name, bytes]))
}

describe('GET /api/sizes', () => {
  it('counts nothing unless it is asked to, then remembers', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann')
    expect(await ask(ann, '/')).toEqual({ sizes: [] })
    expect(await sizesIn(ann)).toEqual({ a: 3, c: 7 })
    const sizes = [
      { name: 'a', bytes: 3, files: 2, folders: 1 },
      { name: 'c', bytes: 7, files: 2, folders: 1 },
    ]
    expect(await ask(ann, '/')).toEqual({ sizes })
    expect(await sizesIn(ann, '/a')).toEqual({ b: 1 })
    expect((await ann.ask('GET', '/api/sizes/5.txt')).statusCode).toBe(400)
    expect((await ann.ask('GET', '/api/sizes/none')).statusCode).toBe(404)
  })

  it('lists the largest and the oldest files that the user may see, if it is asked to', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann', MAY)
    const ruled = await server.user('ruled', {}, { rules: [deny('/c/deny')] })
    await utimes(join(server.root, 'c/deny/3.txt'), 1, 1)
    await utimes(join(server.root, 'a/2.txt'), 2, 2)
    const largestOf = async (client: Client, folder = '/') => {
      await ask(client, folder, '?measure=true&notable=true')
      await expect.poll(async () => (await ask(client, folder, '?notable=true')).notable).toBeDefined()
      const { notable } = await ask(client, folder, '?notable=true')
      return notable
    }
    const all = await largestOf(ann)
    expect(all).toMatchObject({ total: { bytes: 15, files: 5, folders: 4 }, own: { bytes: 5, files: 1 } })
    const names = (files: readonly FlatResource[] = []) => files.map(({ path }) => path)
    expect(names(all?.largest)).toEqual(['/5.txt', '/c/.4.txt', '/c/deny/3.txt', '/a/2.txt', '/a/b/1.txt'])
    expect(names(all?.oldest).slice(0, 2)).toEqual(['/c/deny/3.txt', '/a/2.txt'])
    expect(names((await largestOf(ruled))?.largest)).not.toContain('/c/deny/3.txt')
    expect(names((await largestOf(ann, '/a'))?.largest)).toEqual(['/a/2.txt', '/a/b/1.txt'])
    await ann.ask('DELETE', '/api/resources/5.txt')
    expect(names((await ask(ann, '/', '?notable=true')).notable?.largest)).not.toContain('/5.txt')
  })

  it('tells nobody the size of what rules, hidden files and tokens hide from them', async () => {
    await using server = await testApp({ files: FILES })
    const [all, ruled, without] = [
      await server.user('all'),
      await server.user('ruled', {}, { rules: [deny('/c/deny')] }),
      await server.user('without', {}, { hideDotfiles: true }),
    ]
    expect(await sizesIn(all)).toEqual({ a: 3, c: 7 })
    expect(await sizesIn(ruled)).toEqual({ a: 3, c: 4 })
    expect(await sizesIn(ruled, '/c')).toEqual({})
    expect(await sizesIn(without)).toEqual({ a: 3, c: 3 })
    const { apiTokens, users } = server.context.services
    const order = { name: 'c', permissions: [], path: '/c' } as NewApiToken
    const { token } = await apiTokens.create(OPERATOR, order, { owner: users.find('all').id })
    const askByToken = async (path: string) =>
      await server.ask('GET', `/api/sizes${path}`, { headers: { authorization: `Bearer ${token}` } })
    expect((await askByToken('/')).statusCode).toBe(403)
    expect((await askByToken('/a?measure=true')).statusCode).toBe(403)
    expect((await askByToken('/c?measure=true')).statusCode).toBe(200)
  })

  it('counts again when rules change', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann')
    expect(await sizesIn(ann)).toEqual({ a: 3, c: 7 })
    const { users } = server.context.services
    await users.update(OPERATOR, users.find('ann').id, { rules: [deny('/c/deny')] })
    expect((await ask(ann, '/')).sizes).toEqual([])
    expect(await sizesIn(ann)).toEqual({ a: 3, c: 4 })
  })

  it('counts neither files outside of the scope nor targets of links', async () => {
    await using server = await testApp({ files: { ...FILES, 'home/x/1.txt': '1' } })
    await symlink('../../a', join(server.root, 'home/x/out'))
    await symlink('x', join(server.root, 'home/in'))
    const ann = await server.user('ann', {}, { scope: '/home' })
    expect(await sizesIn(ann)).toEqual({ x: 1 })
  })

  it('follows uploads, renames and removals by anyone, and changes by other programs in the folders of the list', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann', MAY)
    const bob = await server.user('bob', MAY, { scope: '/a' })
    expect(await sizesIn(ann)).toEqual({ a: 3, c: 7 })
    await bob.ask('POST', '/api/resources/b/new.txt', { payload: '1234567' })
    expect(await sizesIn(ann)).toEqual({ a: 10, c: 7 })
    await ann.ask('PATCH', '/api/resources/a/b?action=rename&destination=%2Fc%2Fb')
    expect(await sizesIn(ann)).toEqual({ a: 2, c: 15 })
    await ann.ask('DELETE', '/api/resources/c/deny')
    expect(await sizesIn(ann)).toEqual({ a: 2, c: 12 })
    await writeFile(join(server.root, 'a/outside.txt'), '1234')
    expect(await sizesIn(ann)).toEqual({ a: 6, c: 12 })
    await rename(join(server.root, 'c/b'), join(server.root, 'b'))
    expect(await sizesIn(ann)).toEqual({ a: 6, b: 8, c: 4 })
  })
})
