import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { announce } from '../../helpers/api/send-files.ts'
import { detailsOf, download, serveShared, shareOf, statuses, visit } from '../../helpers/api/shared.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import { movableClock } from '../../helpers/movable-clock.ts'

const DAY = 24 * 60 * 60 * 1000

it.each([
  ['a restriction beside the terms', '{"allows":"view","expires":"1","unit":"hours"}', 'allows'],
  ['a misspelt restriction', '{"terms":{"maxDownload":1}}', 'terms.maxDownload'],
])('%s makes no link, because it would be a full one', async (_, payload, name) => {
  const { server, ann } = await serveShared()
  await using _server = server
  const made = await ann.ask('POST', '/api/share/docs/', { payload, headers: { accept: 'application/json' } })
  expect([made.statusCode, made.json()]).toMatchObject([400, { error: { message: `json: ${name} is not known` } }])
  expect((await ann.ask('GET', '/api/shares')).json()).toEqual([])
  const link = await shareOf(ann, '/docs')
  expect((await ann.ask('PUT', `/api/shares/${link.hash}`, { payload })).statusCode).toBe(400)
})

describe('a link only for viewing', () => {
  it('shows files in the browser, and refuses downloads and archives', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const link = await shareOf(ann, '/docs', { terms: { allows: 'view' } })
    expect((await visit(server, link)).statusCode).toBe(200)
    expect((await download(server, link, '/a.txt?inline=true')).body).toBe('alpha')
    expect((await download(server, link, '/a.txt')).statusCode).toBe(403)
    expect((await download(server, link, '?algo=zip&inline=true')).statusCode).toBe(403)
  })
})

describe('a link with a maximum of downloads', () => {
  it('sends the whole file to that many visitors at once, and no part of it to others', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const link = await shareOf(ann, '/docs', { terms: { maxDownloads: 3 } })
    const answers = await Promise.all(Array.from({ length: 8 }, async () => await download(server, link, '/a.txt')))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(5)
    expect((await download(server, link, '/a.txt', { headers: { range: 'bytes=1-' } })).statusCode).toBe(403)
    expect((await download(server, link, '/a.txt?inline=true')).statusCode).toBe(403)
    expect(await detailsOf(ann, link)).toMatchObject({ downloads: 3, terms: { maxDownloads: 3 } })
    await ann.ask('PUT', `/api/shares/${link.hash}`, { payload: '{"terms":{"maxDownloads":4}}' })
    const part = await download(server, link, '/a.txt', { headers: { range: 'bytes=1-' } })
    expect([part.statusCode, part.body]).toEqual([200, 'alpha'])
  })

  it('gives only small previews, which do not count', async () => {
    const files = {
      'docs/a.jpg': await quarters(900, 600).jpeg().toBuffer(),
      'docs/b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }
    const { server, ann } = await serveShared({ files })
    await using _server = server
    const link = await shareOf(ann, '/docs', { terms: { maxDownloads: 2 } })
    const ask = async (name: string, size: string, headers = {}) =>
      await server.ask('GET', `/api/public/preview/${size}/${link.hash}/${name}?inline=true`, { headers })
    for (const size of ['thumb', 'big']) {
      for (const accept of ['*/*', 'image/webp', 'image/avif']) {
        const { width } = await sharp((await ask('a.jpg', size, { accept })).rawPayload).metadata()
        expect(width, `${size} ${accept}`).toBe(256)
      }
      expect((await ask('b.svg', size)).statusCode).toBe(501)
    }
    expect((await detailsOf(ann, link)).downloads).toBe(0)
    const free = await shareOf(ann, '/docs')
    const big = await server.ask('GET', `/api/public/preview/big/${free.hash}/a.jpg`)
    expect((await sharp(big.rawPayload).metadata()).width).toBe(900)
  })

  it('counts subtitles like other files', async () => {
    const { server, ann } = await serveShared({ files: { 'docs/c.vtt': 'WEBVTT' } })
    await using _server = server
    const link = await shareOf(ann, '/docs', { terms: { maxDownloads: 1 } })
    const ask = async () => await server.ask('GET', `/api/public/subtitle/${link.hash}/c.vtt`)
    expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([200, 403])
    expect((await visit(server, link, '/c.vtt')).body).not.toContain('WEBVTT')
  })

  it('counts a file once in a visit, with all its parts, and an archive each time', async () => {
    const clock = movableClock(Date.now())
    const { server, ann } = await serveShared({ clock })
    await using _server = server
    const link = await shareOf(ann, '/docs', { terms: { maxDownloads: 3 } })
    const enter = async () => {
      const opened = await server.ask('GET', `/api/public/link/${link.hash}`)
      const [cookie = ''] = String(opened.headers['set-cookie']).split(';')
      return { cookie, left: opened.json<{ downloadsLeft: number }>().downloadsLeft }
    }
    const { cookie, left } = await enter()
    expect([left, cookie]).toEqual([3, expect.stringMatching(/^visit=[\w-]+$/)])
    const ask = async (address: string, headers = {}) =>
      (await download(server, link, address, { headers: { cookie, ...headers } })).statusCode
    const parts = ['bytes=0-', 'bytes=1-2', 'bytes=3-'].map(async (range) => await ask('/a.txt?inline=true', { range }))
    expect(await Promise.all(parts)).toEqual([206, 206, 206])
    expect([await ask('/a.txt'), (await enter()).left]).toEqual([200, 2])
    expect([await ask('?algo=zip&files=/a.txt'), (await enter()).left]).toEqual([200, 1])
    expect([await ask('?algo=zip&files=/a.txt'), (await enter()).left]).toEqual([200, 0])
    expect([await ask('?algo=zip&files=/a.txt'), await ask('/a.txt')]).toEqual([403, 200])
    expect((await download(server, link, '/a.txt', { headers: { cookie: (await enter()).cookie } })).statusCode).toBe(
      403,
    )
    clock.move(13 * 60 * 60_000)
    expect(await ask('/a.txt')).toBe(403)
  })
})

it('the name of a sender is text, also where no folder gets it', async () => {
  const { server, ann } = await serveShared({}, { create: true })
  await using _server = server
  const link = await shareOf(ann, '/docs', { terms: { allows: 'upload', asksName: true } })
  const headers = { 'upload-metadata': `from ${btoa('J\xf6rg')}` }
  const { statusCode, body } = await announce(server, link, 'x', { length: 1, headers })
  expect([statusCode, body]).toEqual([400, expect.stringContaining('valid text')])
})

describe('the address of a link', () => {
  it('can be chosen if it is free, with letters, digits and hyphens', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const link = await shareOf(ann, '/docs', { slug: 'holiday-2026' })
    expect(link.hash).toBe('holiday-2026')
    expect(await statuses(server, link)).toEqual([200, 200])
    const create = async (slug: string) =>
      (await ann.ask('POST', '/api/share/docs', { payload: JSON.stringify({ slug }) })).statusCode
    expect(await create('holiday-2026')).toBe(409)
    for (const slug of ['', 'ab', '../x', 'a b c', '-abc', 'x'.repeat(64)]) expect(await create(slug), slug).toBe(400)
  })
})

describe('an expired link', () => {
  it('opens nothing, is listed only on demand, and can be revived within a month', async () => {
    const clock = movableClock(Date.now())
    const { server, ann } = await serveShared({ clock })
    await using _server = server
    const link = await shareOf(ann, '/docs', { expires: '10', unit: 'minutes' })
    clock.move(11 * 60_000)
    expect(await statuses(server, link)).toEqual([404, 404])
    expect((await ann.ask('GET', '/api/shares')).json()).toEqual([])
    expect((await ann.ask('GET', '/api/shares?expired=true&details=true')).json()).toMatchObject([{ hash: link.hash }])
    const revive = async () =>
      (await ann.ask('PUT', `/api/shares/${link.hash}`, { payload: '{"expires":"1","unit":"days"}' })).statusCode
    expect(await revive()).toBe(200)
    expect(await statuses(server, link)).toEqual([200, 200])
    clock.move(40 * DAY)
    await server.context.services.shares.prune(30 * DAY)
    expect(server.context.store.snapshot().shares).toEqual([])
  })
})

describe('the note of a link', () => {
  it('is for the owner only, while title and message are for visitors', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs', { terms: { note: 'for Bob', title: 'Docs', message: 'Hello' } })
    const { body } = await server.ask('GET', `/api/public/link/${hash}`)
    expect(JSON.parse(body)).toMatchObject({ allows: 'download', title: 'Docs', message: 'Hello' })
    expect(body).not.toContain('Bob')
    expect(await detailsOf(ann, { hash })).toMatchObject({ terms: { note: 'for Bob' } })
  })
})

describe('the texts of a link', () => {
  it('cannot contain what moves the cursor or reverses the text', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs', { terms: { message: 'one\r\ntwo\tthree', note: 'a\nb' } })
    const ask = async (method: 'PUT' | 'POST', terms: object) =>
      (
        await ann.ask(method, method === 'PUT' ? `/api/shares/${hash}` : '/api/share/docs', {
          payload: JSON.stringify({ terms }),
        })
      ).statusCode
    for (const method of ['PUT', 'POST'] as const)
      for (const text of ['a\u202eb', 'a\u009b2J', 'a\u001b[2J', 'a\rb'])
        for (const field of ['title', 'message', 'note'])
          expect(await ask(method, { [field]: text }), `${method} ${field} ${JSON.stringify(text)}`).toBe(400)
    expect(await ask('PUT', { title: 'a\nb' })).toBe(400)
    expect(await ask('PUT', { title: 'Fotos \u200e2026' })).toBe(200)
  })
})
