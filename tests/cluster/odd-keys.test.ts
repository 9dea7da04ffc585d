import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { type Scope, storagePathOf } from '../../src/storage/storage.ts'
import { codeOf, content, namesIn, path, put } from '../contract/storage/view.ts'
import { startMoto } from '../helpers/cluster/moto.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

const FREE = { replace: false, fileMode: 0o640, folderMode: 0o750 }
const LONG = 'x'.repeat(300)

const server = s3OfFile(startMoto)

/** A scope with objects of another program, and the keys in it. */
async function openWorld(objects: Readonly<Record<string, string>>) {
  const prefix = `${randomUUID()}/`
  const storage = openS3Storage({ bucket: server().bucket, prefix })
  for (const [key, text] of Object.entries(objects)) await server().plant(prefix + key, text)
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  return {
    scope,
    keys: async () => (await server().keys(prefix)).filter((key) => !key.startsWith('.')),
    [Symbol.asyncDispose]: async () => await storage[Symbol.asyncDispose](),
  }
}

const WAYS: readonly (readonly [name: string, work: (scope: Scope, from: string) => Promise<unknown>])[] = [
  ['delete', async (scope, from) => await scope.remove(path(from))],
  ['trash', async (scope, from) => await scope.trash.put('1', path(from), 0)],
  ['trash at once', async (scope, from) => await scope.trash.putAtOnce('1', path(from), 0)],
  ['rename', async (scope, from) => await scope.rename(path(from), path('/to'), FREE)],
  ['move', async (scope, from) => await scope.move(path(from), path('/to'), FREE)],
  ['copy', async (scope, from) => await scope.copy(path(from), path('/to'), FREE)],
]

describe('a file beside a folder of the same name', () => {
  const objects = { a: 'file', 'a/b': 'inside', z: '' }

  it.each(WAYS)('is refused to %s, since it is not clear which is meant', async (_, work) => {
    await using world = await openWorld(objects)
    expect(await codeOf(work(world.scope, '/a'))).toBe('CONFLICT')
    expect(await world.keys()).toEqual(Object.keys(objects))
  })

  it('is shown, opened, and moved with the folder around both', async () => {
    await using world = await openWorld({ 'in/a': 'file', 'in/a/b': 'inside' })
    const { scope } = world
    expect(await namesIn(scope, '/in')).toEqual(['a', 'a'])
    expect(await content(scope, '/in/a')).toBe('file')
    await scope.rename(path('/in'), path('/out'), FREE)
    expect([await content(scope, '/out/a'), await content(scope, '/out/a/b')]).toEqual(['file', 'inside'])
  })

  it('does not come into being by filemgr', async () => {
    await using world = await openWorld({ 'folder/x': 'x', file: 'y' })
    expect(await codeOf(put(world.scope, '/folder', 'x'))).toBe('CONFLICT')
    expect(await codeOf(world.scope.makeFolder(path('/file'), 0o750))).toBe('CONFLICT')
    expect(await codeOf(put(world.scope, '/file/x', 'x'))).toBe('INVALID_INPUT')
  })
})

describe.each([
  ['a folder object with content', 'in/', 'content'],
  ['a folder object with content deeper inside', 'in/sub/', 'content'],
  ['an empty name', 'in//b', 'content'],
  ['a name that is too long', `in/${LONG}`, 'content'],
])('what cannot be shown (%s)', (_, key, text) => {
  const objects = { 'in/seen': 'x', [key]: text }

  it.each(WAYS.slice(0, 3))('keeps its folder from a %s, which says why', async (__, work) => {
    await using world = await openWorld(objects)
    await expect(work(world.scope, '/in')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('cannot be shown') as string,
    })
    expect(await world.keys()).toEqual(Object.keys(objects).toSorted())
  })

  it.each(WAYS.slice(3, 5))('goes along with its folder on a %s', async (__, work) => {
    await using world = await openWorld(objects)
    await work(world.scope, '/in')
    const keys = await world.keys()
    expect(keys.filter((each) => each.startsWith('in/'))).toEqual([])
    expect(keys).toContain(key.replace('in/', 'to/'))
  })

  it('is copied with its folder', async () => {
    await using world = await openWorld(objects)
    await world.scope.copy(path('/in'), path('/to'), FREE)
    expect(await world.keys()).toEqual(expect.arrayContaining([key, key.replace('in/', 'to/')]))
  })
})

it('a folder object keeps its content on a move', async () => {
  await using world = await openWorld({ 'in/': 'content', 'in/a': '' })
  await world.scope.move(path('/in'), path('/to'), FREE)
  await world.scope.rename(path('/to/a'), path('/b'), FREE)
  expect(await world.keys()).toEqual(['b', 'to/'])
})
