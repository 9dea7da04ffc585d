import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { StagedNames } from '../../src/storage/reserved-names.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { NEW, path, put } from '../contract/storage/view.ts'
import { startMoto } from '../helpers/cluster/moto.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

const PART = 17 * 1024 * 1024

const NAMES = ['large', 'other', 'theirs']
const server = s3OfFile(startMoto)

function openAs(run: string, prefix: string) {
  const staged = new StagedNames({ installation: '0123abcd', run }, run === '22222222')
  return openS3Storage({ bucket: server().bucket, prefix }, { staged })
}

it('an upload in parts that a killed daemon has left is swept, and no other one', async () => {
  const prefix = `${randomUUID()}/`
  await using killed = openAs('11111111', prefix)
  const scope = await killed.openScope(storagePathOf(path('/')), 'inside')
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  async function* endless() {
    yield Buffer.alloc(PART)
    yield Buffer.alloc(PART)
    await isOver
    throw new Error('the daemon is killed')
  }
  const writing = scope.write(path('/large'), Readable.from(endless()), NEW).catch(() => undefined)
  await vi.waitFor(async () => expect(await server().uploads(prefix, NAMES)).toEqual(['large']), { timeout: 300_000 })
  await server().beginUpload(`${prefix}theirs`)
  const recorded = [expect.stringMatching(/upload\.json$/)]
  await vi.waitFor(async () => expect(await server().keys(prefix)).toEqual(recorded), { timeout: 300_000 })
  await using next = openAs('22222222', prefix)
  expect(await next.sweep()).toMatchObject({ removed: 1 })
  expect(await server().uploads(prefix, NAMES)).toEqual(['theirs'])
  expect(await server().keys(prefix)).toEqual([])
  end()
  await writing
})

it('an upload in parts that ends leaves nothing hidden', async () => {
  const prefix = `${randomUUID()}/`
  await using storage = openAs('11111111', prefix)
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  await put(scope, '/large', Buffer.alloc(PART))
  async function* broken() {
    yield Buffer.alloc(PART)
    yield Buffer.alloc(PART)
    throw new Error('the connection broke')
  }
  await scope.write(path('/other'), Readable.from(broken()), NEW).catch(() => undefined)
  expect(await server().keys(prefix)).toEqual(['large'])
  expect(await server().uploads(prefix, NAMES)).toEqual([])
})
