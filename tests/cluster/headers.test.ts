import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { path, put, REPLACE } from '../contract/storage/view.ts'
import { startMoto } from '../helpers/cluster/moto.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

const server = s3OfFile(startMoto)

const HEADERS = {
  'content-type': 'text/x-special',
  'cache-control': 'max-age=5',
  'x-amz-meta-owner': 'alice',
  'x-amz-tagging': 'project=a%2Fb+c&kind=note',
}

const large = () => randomBytes(17 * 1024 * 1024)

describe('a file of another program', () => {
  it.each([
    ['small', 'direct', () => Buffer.from('new')],
    ['large', 'direct', large],
    ['small', 'in parts', () => Buffer.from('new')],
    ['large', 'in parts', large],
  ] as const)(
    'keeps its tags, metadata, type and storage class when a %s one is saved over it (%s)',
    async (...given) => {
      const [, way, body] = given
      const prefix = `${randomUUID()}/`
      const planted = { ...HEADERS, 'x-amz-storage-class': server().storageClass }
      await server().plant(`${prefix}note.txt`, 'old', planted)
      await using storage = openS3Storage({ bucket: server().bucket, prefix })
      const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
      const bytes = body()
      if (way === 'direct') await put(scope, '/note.txt', bytes, REPLACE)
      else {
        const [target, name, mode] = [path('/note.txt'), scope.staging.newName(), { ...REPLACE, length: bytes.length }]
        await scope.staging.create(target, name, mode)
        await scope.staging.append(target, name, Readable.from([bytes]), { offset: 0, length: bytes.length })
        await scope.staging.commit(target, name, mode)
      }
      const { 'x-amz-tagging': _, ...headers } = planted
      const kept = await server().head(`${prefix}note.txt`)
      expect(kept).toMatchObject({ ...headers, 'content-length': String(bytes.length), 'x-amz-tagging-count': '2' })
      expect(await server().tags(`${prefix}note.txt`)).toEqual(['kind=note', 'project=a/b c'])
    },
  )
})

it('a new file has the type that its name suggests', async () => {
  const prefix = `${randomUUID()}/`
  await using storage = openS3Storage({ bucket: server().bucket, prefix })
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  for (const [name, type] of [
    ['a.txt', 'text/plain'],
    ['a.bin', 'application/octet-stream'],
    ['a.unknown', 'application/octet-stream'],
  ] as const) {
    await put(scope, `/${name}`, 'x')
    expect((await server().head(prefix + name))['content-type']).toBe(type)
  }
})
