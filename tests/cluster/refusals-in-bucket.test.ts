import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { type Scope, storagePathOf } from '../../src/storage/storage.ts'
import { content, NEW, path, put, REPLACE, walked } from '../contract/storage/view.ts'
import { startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

const MODE = { replace: false, folderMode: 0o750 }
const OVER = { ...MODE, replace: true }
const FILES = ['/a.txt', '/b.txt', '/from/c.txt', '/to/c.txt']

const server = s3OfFile(startS3Server)

const refuse = () => {
  throw new Error('refused')
}
const accept = { accept: refuse }

async function treeOf(scope: Scope): Promise<unknown> {
  return [await walked(scope, '/'), await Promise.all(FILES.map(async (name) => await content(scope, name)))]
}

it.each<[string, (scope: Scope) => Promise<unknown>]>([
  ['a new file', async (scope) => await put(scope, '/new.txt', 'new', { ...NEW, ...accept })],
  ['another content', async (scope) => await put(scope, '/a.txt', 'new', { ...REPLACE, ...accept })],
  ['a new folder', async (scope) => await scope.makeFolder(path('/new'), 0o750, accept)],
  ['a copy', async (scope) => await scope.copy(path('/a.txt'), path('/new.txt'), MODE, accept)],
  ['a copy over a file', async (scope) => await scope.copy(path('/a.txt'), path('/b.txt'), OVER, accept)],
  ['a copy that has no room', async (scope) => await scope.copy(path('/a.txt'), path('/n'), MODE, { admit: refuse })],
  ['a copy of a folder', async (scope) => await scope.copy(path('/from'), path('/new'), MODE, accept)],
  ['a merging copy', async (scope) => await scope.copy(path('/from'), path('/to'), OVER, accept)],
  ['a new name', async (scope) => await scope.rename(path('/a.txt'), path('/new.txt'), MODE, accept)],
  ['a move over a file', async (scope) => await scope.rename(path('/a.txt'), path('/b.txt'), OVER, accept)],
  ['a merging move', async (scope) => await scope.move(path('/from'), path('/to'), OVER, accept)],
  ['a removal', async (scope) => await scope.remove(path('/a.txt'), accept)],
  ['a removal of a folder', async (scope) => await scope.remove(path('/from'), accept)],
  ['a removal of one file', async (scope) => await scope.removeFile(path('/a.txt'), refuse)],
  ['a deletion to the trash', async ({ trash }) => await trash.putAtOnce('1', path('/a.txt'), 0, accept)],
])('an effect in a bucket that is refused at the last moment has none: %s', async (_, effect) => {
  await using storage = openS3Storage({ bucket: server().bucket, prefix: `${randomUUID()}/` })
  using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  for (const name of FILES) await put(scope, name, `old ${name}`)
  const tree = await treeOf(scope)
  await expect(effect(scope)).rejects.toThrow('refused')
  expect(await treeOf(scope)).toEqual(tree)
})
