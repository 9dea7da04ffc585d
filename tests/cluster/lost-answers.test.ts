import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { codeOf, content, namesIn, NEW, path, put, viewOf } from '../contract/storage/view.ts'
import { startMoto } from '../helpers/cluster/moto.ts'
import { loseAnswer, type S3Operation, startS3Proxy } from '../helpers/cluster/s3-proxy.ts'
import { startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

/** Of one part. */
const LARGE = Buffer.alloc(17 * 1024 * 1024, 'large')
const SIZE = 2 * LARGE.length
const SERVERS: readonly [string, () => Promise<Parameters<typeof startS3Proxy>[0] & AsyncDisposable>][] = [
  ['versitygw', startS3Server],
  ['moto', startMoto],
]

describe.each(SERVERS)('an answer of %s that is lost', (_, start) => {
  const proxy = s3OfFile(async () => {
    const server = await start()
    const made = await startS3Proxy(server)
    return {
      bucket: server.bucket,
      made,
      env: made.env,
      [Symbol.asyncDispose]: async () => {
        await made[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  })
  afterEach(() => {
    proxy().made.before = () => undefined
  })

  const open = (prefix = `${randomUUID()}/`) => openS3Storage({ bucket: proxy().bucket, prefix })

  /** The first answer to such a request about a key with this end is lost. @param second called before the second one */
  function loseFirst(operation: S3Operation, end: string, second?: (response: ServerResponse) => unknown): void {
    let count = 0
    proxy().made.before = async (seen, response) => {
      if (seen.operation !== operation || !seen.key.endsWith(end)) return
      count += 1
      if (count === 1) loseAnswer(response)
      if (count === 2) await second?.(response)
    }
  }

  /** As other servers do, while this one does not mind a repetition. */
  const refused = (status: number) => (response: ServerResponse) => void response.writeHead(status).end()

  it('to a small file does not make it one of others', async () => {
    await using storage = open()
    using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    await put(scope, '/other', 'other')
    loseFirst('PUT', '/a')
    expect(await put(scope, '/a', 'content')).toMatchObject({ size: 7 })
    expect(await content(scope, '/a')).toBe('content')
  })

  it('to a large file does not either', async () => {
    await using storage = open()
    using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    loseFirst('COMPLETE', '/large', refused(404))
    expect(await scope.write(path('/large'), Readable.from([LARGE, LARGE]), NEW)).toMatchObject({ size: SIZE })
    expect(await scope.stat(path('/large'), viewOf('/large'))).toMatchObject({ size: SIZE })
    expect(await namesIn(scope, '/')).toEqual(['large'])
  })

  it('to the copy of a file does not either', async () => {
    await using storage = open()
    using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    await put(scope, '/a', 'content')
    loseFirst('COPY', '/b', refused(412))
    await scope.copy(path('/a'), path('/b'), { replace: false, folderMode: 0o750 })
    expect(await namesIn(scope, '/')).toEqual(['a', 'b'])
  })

  it('does not make a file of others ours', async () => {
    const prefix = `${randomUUID()}/`
    await using storage = open(prefix)
    using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    // With locks of its own, as another program.
    await using foreign = open(prefix)
    using theirs = await foreign.openScope(storagePathOf(path('/')), 'inside')
    loseFirst('PUT', '/a', async () => await put(theirs, '/a', 'other', { ...NEW, replace: true }))
    expect(await codeOf(put(scope, '/a', 'content'))).toBe('CONFLICT')
    expect(await content(scope, '/a')).toBe('other')
  })
})
