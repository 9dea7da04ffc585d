import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { ShareHash } from '../../../src/domain/ids.ts'
import { MAY_SHARE, shareOf } from '../../helpers/api/shared.ts'
import { testApp, type TestApp } from '../../helpers/api/test-app.ts'

const page = {
  'index.html': '<!doctype html><html><head></head><body>the page</body></html>',
  'static/img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

/** Addresses of APIs: ours with an unknown call, those of File Browser and of FileBrowser Quantum, and of common programs. */
const FOR_PROGRAMS = [
  '/api',
  '/api/',
  '/api/nothing',
  '/api/nothing/at/all?x=1',
  '/api/v1/users',
  '/api/public',
  '/api/public/nothing/abc',
  '/api/public/dl',
  '/api/public/share?path=/&hash=none',
  '/api/auth/login',
  '/api/raw?files=a.txt',
  '/API/users',
  '/%61pi/nothing',
  '/ap%69/nothing',
  '/public',
  '/public/',
  '/public/api',
  '/public/api/health',
  '/public/api/users?id=self',
  '/public/api/resources?path=/&hash=none',
  '/public/api/resources/download?hash=none',
  '/public/api/resources/download',
  '/public/api/resources/view?hash=none&file=/a.txt',
  '/public/api/raw?hash=none&files=a.txt',
  '/public/api/share/info?hash=none',
  '/public/static/icons/favicon.svg',
  '/public/dl/none/a.txt',
  '/public/dl?hash=none',
  '/public/share/none',
  '/public/shares',
  '/swagger',
  '/swagger/',
  '/swagger/index.html',
  '/swagger.json',
  '/openapi.json',
  '/health/nothing',
  '/metrics',
  '/dav/docs/a.txt',
  '/webdav/',
  '/graphql',
  '/.well-known/openid-configuration',
  '/static',
  '/static/none.js',
]

const DOCS = { 'docs/a b/c?.txt': 'c', 'docs/b.txt': 'b' }

describe.each(['', '/fb'])('with the base URL "%s"', (baseURL) => {
  let server: TestApp
  let hash: ShareHash
  beforeAll(async () => {
    server = await testApp({ page, files: DOCS, options: { baseURL } })
    await server.user('ann', MAY_SHARE)
    const { shares, users } = server.context.services
    const terms = { password: undefined, expire: 0 }
    ;({ hash } = await shares.create(OPERATOR, '/docs', terms, users.find('ann').id))
  })
  afterAll(async () => await server[Symbol.asyncDispose]())

  it.each(FOR_PROGRAMS)('%s never answers with the page', async (address) => {
    let answer = await server.ask('GET', `${baseURL}${address}`)
    for (let hops = 0; answer.statusCode === 301 && hops < 5; hops += 1) {
      answer = await server.ask('GET', String(answer.headers.location))
    }
    expect(answer.body).not.toContain('the page')
    expect([401, 404]).toContain(answer.statusCode)
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  })

  it.each([
    '/',
    '/login',
    '/files/',
    '/files/api/x',
    '/share/none',
    '/settings/profile',
    '/trash',
    '/help/',
    '/apiary',
  ])('%s answers with the page', async (address) => {
    const answer = await server.ask('GET', `${baseURL}${address}`)
    expect([answer.statusCode, answer.body.includes('the page')]).toEqual([200, true])
  })

  it.each([
    ['/public/share/HASH', '/share/HASH'],
    ['/public/share/HASH/a%20b?x=1', '/share/HASH/a%20b?x=1'],
    ['/public/dl/HASH/b.txt?inline=true', '/api/public/dl/HASH/b.txt?inline=true'],
    ['/public/api/resources/download?hash=HASH', '/api/public/dl/HASH'],
    ['/public/api/resources/download?hash=HASH&file=%2F', '/api/public/dl/HASH'],
    ['/public/api/resources/download?file=%2Fa%20b%2Fc%3F.txt&hash=HASH&token=x', '/api/public/dl/HASH/a%20b/c%3F.txt'],
    ['/public/api/resources/view?hash=HASH&file=b.txt&inline=true', '/api/public/dl/HASH/b.txt?inline=true'],
    ['/public/api/media/stream?hash=HASH&file=b.txt', '/api/public/dl/HASH/b.txt'],
    ['/public/api/raw?files=%252Fa%2520b%252Fc%253F.txt&hash=HASH', '/api/public/dl/HASH/a%20b/c%3F.txt'],
    ['/public/api/raw?files=b.txt&hash=HASH', '/api/public/dl/HASH/b.txt'],
    ['/public/dl?hash=HASH&files=..%2F..%2Fb.txt', '/api/public/dl/HASH/b.txt'],
    [
      '/public/api/raw?hash=HASH&file=b.txt&file=a+b&algo=tar.gz',
      '/api/public/dl/HASH?files=%252Fb.txt%2C%252Fa%2520b&algo=targz',
    ],
  ])("leads Quantum's link %s to %s", async (old, address) => {
    const answer = await server.ask('GET', `${baseURL}${old.replace('HASH', hash)}`)
    const target = `${baseURL}${address.replace('HASH', hash)}`
    expect([answer.statusCode, answer.headers.location]).toEqual([302, target])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect((await server.ask('GET', target)).statusCode).toBe(200)
  })
})

describe("a link of Quantum's form", () => {
  const OLD = '/public/api/resources/download?hash='

  it('leads nowhere, and to no other site, unless it names a link that opens', async () => {
    await using server = await testApp({ page, files: { 'docs/b.txt': 'b' } })
    const ann = await server.user('ann', MAY_SHARE)
    const { hash } = await shareOf(ann, '/docs')
    for (const text of [
      'none',
      '',
      '%2F%2Fevil.example',
      '..%2F..',
      `${hash}%2F..`,
      `${hash}%0d%0ax`,
      `${hash}&hash=`,
    ]) {
      const { statusCode, headers } = await server.ask('GET', `${OLD}${text}`)
      const isFirst = text.startsWith(`${hash}&`)
      expect([text, statusCode, headers.location]).toEqual([
        text,
        isFirst ? 302 : 404,
        isFirst ? `/api/public/dl/${hash}` : undefined,
      ])
    }
    for (const path of [`/public/share/${hash}`, `${OLD}${hash}`]) {
      expect((await server.ask('POST', path)).statusCode).toBe(404)
    }
    await ann.ask('DELETE', `/api/share/${hash}`)
    expect((await server.ask('GET', `${OLD}${hash}`)).statusCode).toBe(404)
  })

  it('tells no more than the link itself: of a password, of a disabled owner, during maintenance', async () => {
    await using server = await testApp({ page, files: { 'docs/b.txt': 'b' } })
    const ann = await server.user('ann', MAY_SHARE)
    const { hash } = await shareOf(ann, '/docs', { password: 'secret' })
    const both = async () => {
      const moved = await server.ask('GET', `${OLD}${hash}`)
      return [moved.statusCode, (await server.ask('GET', `/api/public/dl/${hash}`)).statusCode]
    }
    expect(await both()).toEqual([302, 401])
    const { users, maintenance } = server.context.services
    await users.update(OPERATOR, users.find('ann').id, { disabled: true })
    expect(await both()).toEqual([302, 401])
    await users.update(OPERATOR, users.find('ann').id, { disabled: false })
    await maintenance.begin(OPERATOR, {})
    expect(await both()).toEqual([503, 503])
  })
})
