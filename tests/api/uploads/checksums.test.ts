import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECKSUMS, type Checksum } from '../../../src/domain/files/resource.ts'
import { testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const ADDRESS = '/api/tus/a.txt'

interface World extends AsyncDisposable {
  readonly server: TestApp
  readonly bob: Client
}

/** Bob has begun an upload of six bytes. */
async function begun(): Promise<World> {
  const server = await testApp()
  const bob = await server.user('bob', { create: true, modify: true })
  await bob.ask('POST', ADDRESS, { headers: { 'upload-length': '6' } })
  return { server, bob, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

const checksumOf = (algorithm: Checksum, text: string) =>
  `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`

const headersOf = (offset: number, checksum: string) => ({
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
  'upload-checksum': checksum,
})

const part = async ({ bob }: World, offset: number, payload: string, checksum: string) =>
  await bob.ask('PATCH', ADDRESS, { headers: headersOf(offset, checksum), payload })

const offsetOf = async ({ bob }: World) => (await bob.ask('HEAD', ADDRESS)).headers['upload-offset']

describe('a part with a checksum', () => {
  it.each(CHECKSUMS)('by %s is stored when it matches', async (algorithm) => {
    await using world = await begun()
    expect((await part(world, 0, 'abc', checksumOf(algorithm, 'abc'))).statusCode).toBe(204)
    expect((await part(world, 3, 'def', checksumOf(algorithm, 'def'))).statusCode).toBe(204)
    expect(await readFile(join(world.server.root, 'a.txt'), 'utf8')).toBe('abcdef')
  })

  it.each(CHECKSUMS)('by %s that differs is answered with 460, and only this part is undone', async (algorithm) => {
    await using world = await begun()
    await part(world, 0, 'abc', checksumOf(algorithm, 'abc'))
    const answer = await part(world, 3, 'dxf', checksumOf(algorithm, 'def'))
    expect([answer.statusCode, answer.body]).toEqual([460, '460 Checksum Mismatch\n'])
    expect(await offsetOf(world)).toBe('3')
    expect((await part(world, 3, 'def', checksumOf(algorithm, 'def'))).statusCode).toBe(204)
    expect(await readFile(join(world.server.root, 'a.txt'), 'utf8')).toBe('abcdef')
  })

  it('does not complete the file when it is the last one and differs', async () => {
    await using world = await begun()
    expect((await part(world, 0, 'abcdef', checksumOf('sha1', 'other.'))).statusCode).toBe(460)
    expect((await world.bob.ask('GET', '/api/resources/')).json()).toMatchObject({ items: [] })
  })

  it('is not stored when it breaks off, because a piece cannot be compared', async () => {
    await using world = await begun()
    const bytes = 'x'.repeat(600_000)
    await world.bob.ask('POST', ADDRESS, { headers: { 'upload-length': String(bytes.length) } })
    await world.server.askExactly('GET', '/health')
    const { port } = world.server.app.server.address() as AddressInfo
    const headers = {
      ...headersOf(0, checksumOf('sha1', bytes)),
      'content-length': String(bytes.length),
      'x-auth': world.bob.token,
    }
    const sent = request({ host: '127.0.0.1', port, method: 'PATCH', path: ADDRESS, headers })
    sent.on('error', () => undefined).write(bytes.slice(0, 500_000))
    await expect.poll(async () => await storedSize(world)).toBeGreaterThan(0)
    sent.destroy()
    expect(await offsetOf(world)).toBe('0')
  })

  it('is verified at the beginning of an upload as well', async () => {
    await using world = await begun()
    const headers = { ...headersOf(0, checksumOf('sha256', 'other')), 'upload-length': '3' }
    expect((await world.bob.ask('POST', '/api/tus/b.txt', { headers, payload: 'abc' })).statusCode).toBe(460)
    expect((await world.bob.ask('HEAD', '/api/tus/b.txt')).headers['upload-offset']).toBe('0')
  })

  it('may be followed by one without, which is kept', async () => {
    await using world = await begun()
    await part(world, 0, 'abc', checksumOf('md5', 'xyz'))
    const { 'upload-checksum': _none, ...headers } = headersOf(0, '')
    expect((await world.bob.ask('PATCH', ADDRESS, { headers, payload: 'abcd' })).statusCode).toBe(204)
    expect(await offsetOf(world)).toBe('4')
  })

  it.each(['crc32 AAAA', 'sha1', 'sha1 AAAA', 'sha1 !', 'SHA1 AAAA', `${checksumOf('sha1', 'a')} b`, ''])(
    '"%s" is refused and nothing is written',
    async (checksum) => {
      await using world = await begun()
      expect((await part(world, 0, 'abc', checksum)).statusCode).toBe(400)
      expect(await offsetOf(world)).toBe('0')
    },
  )

  it('is offered with its algorithms', async () => {
    await using world = await begun()
    const { headers } = await world.server.ask('OPTIONS', ADDRESS)
    expect(headers['tus-extension']).toBe('creation,creation-with-upload,termination,expiration,checksum')
    expect(headers['tus-checksum-algorithm']).toBe('md5,sha1,sha256,sha512')
  })
})

/** The bytes stored so far. The service knows them: a HEAD request would stop the part under way. */
async function storedSize({ server }: World): Promise<number> {
  const [listed] = await server.context.services.unfinishedUploads.list({ kind: 'operator' })
  return listed?.offset ?? -1
}
