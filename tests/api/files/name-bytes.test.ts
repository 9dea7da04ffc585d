import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Listing } from '../../../src/domain/files/resource.ts'
import type { ShareView } from '../../../src/domain/shares/share.ts'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'
import { tarFile } from '../../helpers/samples/tar-file.ts'

const at = (server: TestApp, name: string) => Buffer.from(join(server.root, name), 'latin1')
const onDisk = (server: TestApp, folder = '') => readdirSync(at(server, folder), { encoding: 'latin1' }).sort()
const MAY = { create: true, modify: true, rename: true, delete: true, download: true, share: true }

async function openWorld(): Promise<AsyncDisposable & { server: TestApp; ann: Client }> {
  const server = await testApp({ files: { 'plain.txt': 'plain' } })
  writeFileSync(at(server, 'caf\xe9.txt'), 'latin1')
  mkdirSync(at(server, '\xff\xfe'))
  writeFileSync(at(server, '\xff\xfe/in\x80.txt'), 'inner')
  const ann = await server.user('ann', MAY)
  return { server, ann, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

describe('names that are not UTF-8', () => {
  it('are listed with their bytes, and open by them', async () => {
    await using world = await openWorld()
    const { ann } = world
    const { items } = (await ann.ask('GET', '/api/resources/')).json<Listing>()
    expect(items.map(({ path }) => path).sort()).toEqual(['/caf\udce9.txt', '/plain.txt', '/\udcff\udcfe'].sort())
    expect((await ann.ask('GET', '/api/resources/caf%E9.txt')).json()).toMatchObject({
      name: 'caf\udce9.txt',
      content: 'latin1',
    })
    expect((await ann.ask('GET', '/api/resources/%FF%fe/')).json()).toMatchObject({ items: [{ name: 'in\udc80.txt' }] })
    const raw = await ann.ask('GET', '/api/raw/caf%E9.txt')
    expect([raw.statusCode, raw.body]).toEqual([200, 'latin1'])
    expect(raw.headers['content-disposition']).toBe(
      `attachment; filename="caf_.txt"; filename*=utf-8''caf%EF%BF%BD.txt`,
    )
    expect((await ann.ask('GET', '/api/resources/caf%EF%BF%BD.txt')).statusCode).toBe(404)
    expect((await ann.ask('GET', '/api/resources/caf%EF%B7%90E9.txt')).statusCode).toBe(404)
  })

  it('are in archives, chosen or with their folder', async () => {
    await using world = await openWorld()
    const { ann } = world
    const chosen = await ann.ask('GET', '/api/raw/?algo=tar&files=caf%25E9.txt,%25FF%25FE')
    expect([chosen.statusCode, chosen.body.includes('latin1'), chosen.body.includes('inner')]).toEqual([
      200,
      true,
      true,
    ])
    const folder = await ann.ask('GET', '/api/raw/%FF%FE/?algo=zip')
    expect([folder.statusCode, folder.body.includes('in\ufffd.txt')]).toEqual([200, true])
  })

  it('are saved, copied, moved, renamed and deleted', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    const change = async (from: string, action: string, to: string) =>
      (await ann.ask('PATCH', `/api/resources/${from}?action=${action}&destination=${to}`)).statusCode
    expect((await ann.ask('PUT', '/api/resources/caf%E9.txt', { payload: 'saved' })).statusCode).toBe(200)
    expect((await ann.ask('POST', '/api/resources/%FF%FE/new.txt', { payload: 'beside' })).statusCode).toBe(200)
    expect(await change('%FF%FE', 'copy', '%2Fcopy')).toBe(200)
    expect(onDisk(server, 'copy')).toEqual(['in\x80.txt', 'new.txt'])
    expect(await change('caf%E9.txt', 'rename', '%2F%25FF%25FE%2Fcaf%25E9.txt')).toBe(200)
    expect(readFileSync(at(server, '\xff\xfe/caf\xe9.txt'), 'utf8')).toBe('saved')
    expect(await change('%FF%FE/caf%E9.txt', 'rename', '%2Fcafe.txt')).toBe(200)
    expect((await ann.ask('DELETE', '/api/resources/%FF%FE')).statusCode).toBe(204)
    expect(onDisk(server)).toEqual(['cafe.txt', 'copy', 'plain.txt'])
  })

  it('are given to nothing new', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    const before = onDisk(server)
    const rename = '/api/resources/plain.txt?action=rename&destination=%2Fpl%25E4in.txt'
    expect((await ann.ask('PATCH', rename)).statusCode).toBe(400)
    expect((await ann.ask('POST', '/api/resources/n%E9w.txt', { payload: 'x' })).statusCode).toBe(400)
    expect((await ann.ask('POST', '/api/resources/n%E9w/')).statusCode).toBe(400)
    const begin = { headers: { 'upload-length': '1' } }
    expect((await ann.ask('POST', '/api/tus/n%E9w.txt', begin)).statusCode).toBe(400)
    for (const key of ['filename', 'name']) {
      const headers = { 'upload-length': '0', 'upload-metadata': `${key} ${btoa('n\xe9w.txt')}` }
      const refused = await ann.ask('POST', '/api/tus/', { headers })
      expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('must be valid text')])
    }
    expect(onDisk(server)).toEqual(before)
  })

  it('are not replaced in the names that forms give to files', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    const before = onDisk(server)
    const send = async (...parts: string[]) => {
      const lines = parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`)
      const payload = Buffer.from(`${lines.join('')}--x--\r\n`, 'latin1')
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      return (await ann.ask('POST', '/api/upload/', { headers, payload })).json<
        { status: number; message?: string }[]
      >()
    }
    const [refused] = await send('name="file"; filename="n\xe9w.txt"\r\n\r\nnew')
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('not UTF-8') as string })
    expect(onDisk(server)).toEqual(before)
    // A replacement character of its own.
    const path = 'name="path"\r\n\r\nn\xef\xbf\xbdw.txt'
    expect(await send(path, 'name="file"; filename="blob"\r\n\r\nnew')).toMatchObject([{ status: 200 }])
    expect(onDisk(server)).toEqual([...before, 'n\xef\xbf\xbdw.txt'].sort())
  })

  it('keep a byte order mark in the metadata of an upload', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    const headers = { 'upload-length': '0', 'upload-metadata': `filename ${btoa('\xef\xbb\xbfb.txt')}` }
    expect((await ann.ask('POST', '/api/tus/', { headers })).statusCode).toBe(201)
    expect(onDisk(server)).toContain('\xef\xbb\xbfb.txt')
  })

  it('of archives give no name to the folder of what is extracted', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    const members = ['a', 'b'].map((name) => ({ name, content: name }))
    writeFileSync(at(server, '\xff\xfe/all\xe9.tar'), tarFile(members))
    const payload = JSON.stringify({ destination: '/\udcff\udcfe' })
    expect((await ann.ask('POST', '/api/extract/%FF%FE/all%E9.tar', { payload })).statusCode).toBe(200)
    expect(onDisk(server, '\xff\xfe/all\xef\xbf\xbd')).toEqual(['a', 'b'])
  })

  it('are found, and trashed and restored', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    expect((await ann.ask('GET', '/api/search/%FF%FE?query=in')).body).toContain('in\\udc80.txt')
    expect((await ann.ask('DELETE', '/api/resources/%FF%FE?trash=true')).statusCode).toBe(204)
    const [item] = (await ann.ask('GET', '/api/trash')).json<TrashItem[]>()
    expect(item).toMatchObject({ path: '/\udcff\udcfe' })
    expect((await ann.ask('POST', `/api/trash/${item?.id}`)).json()).toEqual({ path: '/\udcff\udcfe' })
    expect(onDisk(server, '\xff\xfe')).toEqual(['in\x80.txt'])
  })

  it('are shared, and shared within a folder', async () => {
    await using world = await openWorld()
    const { server, ann } = world
    const { hash } = (await ann.ask('POST', '/api/share/%FF%FE', { payload: '{}' })).json<ShareView>()
    expect((await ann.ask('GET', '/api/share/%FF%FE')).json()).toMatchObject([{ hash, path: '/\udcff\udcfe' }])
    expect((await server.ask('GET', `/api/public/share/${hash}`)).json()).toMatchObject({
      items: [{ name: 'in\udc80.txt' }],
    })
    expect((await server.ask('GET', `/api/public/dl/${hash}/in%80.txt`)).body).toBe('inner')
  })

  it('keep their address in redirects', async () => {
    await using world = await openWorld()
    const answer = await world.server.askExactly('GET', '/api/raw//caf%E9%25.txt')
    expect([answer.statusCode, answer.headers.location]).toEqual([301, '/api/raw/caf%E9%25.txt'])
  })
})
