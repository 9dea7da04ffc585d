import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import { ForeignDecoders } from '../../../src/platform/images/foreign-decoders.ts'
import { foreignProgram } from '../../helpers/api/foreign-program.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const page = {
  'index.html': `<!doctype html><html><head><meta property="csp-nonce" nonce="" /><title>filemgr</title>
<script type="application/json" id="filemgr-config">{}</script>
<script type="module" src="/static/main-abcdefgh.js"></script></head></html>`,
  'static/main-abcdefgh.js': 'console.log(1)'.repeat(100),
  'static/main-abcdefgh.js.br': 'brotli',
  'static/main-abcdefgh.js.gz': 'gzip',
  'static/sw.js': 'onfetch = null',
  'static/img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

const configOf = (html: string) =>
  JSON.parse(/id="filemgr-config">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as ClientConfig

describe('the page', () => {
  it.each(['/', '/login', '/files/docs/', '/share/abc', '/no/such/page'])('is served at %s', async (url) => {
    await using server = await testApp({ page, foreign: new ForeignDecoders({ path: '/nowhere' }) })
    const answer = await server.ask('GET', url)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(configOf(answer.body)).toEqual({
      AuthMethod: 'json',
      BaseURL: '',
      CSS: false,
      Color: '',
      DisableExternal: false,
      DisableUsedPercentage: false,
      EnableExec: false,
      EnableThumbs: true,
      HideLoginButton: true,
      LoginPage: true,
      LogoutPage: '/login',
      Name: '',
      NoAuth: false,
      ReCaptcha: false,
      ResizePreview: true,
      Signup: false,
      StaticURL: '/static',
      Theme: '',
      TusSettings: { chunkSize: 10_485_760, retryCount: 5 },
      Version: server.context.version,
    })
  })

  it('knows whether videos have thumbnails', async () => {
    await using program = await foreignProgram('true')
    await using server = await testApp({ page, foreign: program.decoders })
    expect(configOf((await server.ask('GET', '/')).body).VideoThumbs).toBe(true)
    await using without = await testApp({ page, foreign: program.decoders, options: { disableThumbnails: true } })
    expect(configOf((await without.ask('GET', '/')).body)).not.toHaveProperty('VideoThumbs')
  })

  it('knows whether PDF documents have thumbnails', async () => {
    await using program = await foreignProgram('true', { name: 'pdftoppm' })
    await using server = await testApp({ page, foreign: program.decoders })
    const config = configOf((await server.ask('GET', '/')).body)
    expect(config).toMatchObject({ PdfThumbs: true })
    expect(config).not.toHaveProperty('VideoThumbs')
  })

  it('knows whether the request had the cookie of a valid session', async () => {
    await using server = await testApp({ page })
    const ann = await server.user('ann')
    const seen = async (token: string) =>
      configOf((await server.ask('GET', '/', { headers: { cookie: `auth=${token}` } })).body).CookieSession
    expect([await seen(ann.token), await seen('not.a.token')]).toEqual([true, undefined])
    await ann.ask('POST', '/api/logout')
    expect(await seen(ann.token)).toBeUndefined()
  })

  it('does not contain the minimum length of passwords for sign-up, which has a call of its own', async () => {
    await using server = await testApp({ page, settings: { signup: true, minimumPasswordLength: 15 } })
    const config = configOf((await server.ask('GET', '/login')).body)
    expect(config.Signup).toBe(true)
    expect(Object.keys(config)).not.toContain('MinimumPasswordLength')
    expect((await server.ask('GET', '/api/password-rules')).json()).toEqual({ minimumLength: 15 })
  })

  it('only reads the cookie: one that was replaced ends no session', async () => {
    await using server = await testApp({ page })
    const old = await server.user('ann')
    const { body: token } = await old.ask('POST', '/api/renew')
    server.context.clock.move(5 * 60_000)
    const { body } = await server.ask('GET', '/', { headers: { cookie: `auth=${old.token}` } })
    expect(configOf(body).CookieSession).toBeUndefined()
    expect((await server.ask('GET', '/api/resources/', { headers: { 'x-auth': token } })).statusCode).toBe(200)
  })

  it('runs no script but its own, and only styles with the nonce of this answer', async () => {
    await using server = await testApp({ page })
    const [first, second] = [await server.ask('GET', '/'), await server.ask('GET', '/')]
    const nonce = / nonce="([^"]+)"/.exec(first.body)?.[1] ?? 'none'
    const policy = String(first.headers['content-security-policy'])
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
    expect(policy).toContain("script-src 'self';")
    expect(second.body).not.toContain(nonce)
  })

  it('shows a change of the settings at once', async () => {
    await using server = await testApp({ page })
    await server.context.store.update((draft) => {
      draft.settings.branding.name = 'Our files'
    })
    const { body } = await server.ask('GET', '/')
    expect(body).toContain('<title>Our files</title>')
    expect(configOf(body).Name).toBe('Our files')
  })

  it('says so when it has not been built', async () => {
    await using server = await testApp()
    const answer = await server.ask('GET', '/')
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm run build') as string])
  })

  it('finds its files below the base URL', async () => {
    await using server = await testApp({ page, options: { baseURL: '/fb' } })
    const { body } = await server.ask('GET', '/fb/')
    expect(body).toContain('src="/fb/static/main-abcdefgh.js"')
    expect((await server.ask('GET', '/fb/static/main-abcdefgh.js')).statusCode).toBe(200)
  })
})

describe('/static', () => {
  it('sends what the build compressed, to be cached for ever by its hashed name', async () => {
    await using server = await testApp({ page })
    const answer = await server.ask('GET', '/static/main-abcdefgh.js', { headers: { 'accept-encoding': 'gzip, br' } })
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript') as string,
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(answer.body).toBe('brotli')
  })

  it.each(['gzip', 'br, *;q=0.1', undefined, 'identity', 'br', 'gzip;q=0, br', 'deflate'])(
    'sends a file that is stored only compressed to a client that accepts %s',
    async (encoding) => {
      const script = 'console.log(2)'.repeat(100)
      const packed = { ...page, 'static/mode-abcdefgh.js.gz': gzipSync(script) }
      await using server = await testApp({ page: packed })
      const headers = encoding === undefined ? {} : { 'accept-encoding': encoding }
      const {
        statusCode,
        headers: answered,
        rawPayload,
      } = await server.ask('GET', '/static/mode-abcdefgh.js', { headers })
      const isPacked = encoding === 'gzip' || encoding?.includes('*') === true
      expect([statusCode, answered['content-encoding']]).toEqual([200, isPacked ? 'gzip' : undefined])
      expect(answered).toMatchObject({
        vary: 'accept-encoding',
        'content-type': expect.stringMatching(/javascript; charset=utf-8$/) as string,
      })
      expect(answered['cache-control']).toContain('immutable')
      expect((isPacked ? gunzipSync(rawPayload) : rawPayload).toString()).toBe(script)
    },
  )

  it('lets the service worker control the whole page, ask this server only, and be updated', async () => {
    await using server = await testApp({ page, options: { baseURL: '/fb' } })
    expect((await server.ask('GET', '/fb/static/sw.js')).headers).toMatchObject({
      'content-type': expect.stringContaining('javascript') as string,
      'cache-control': 'no-cache',
      'service-worker-allowed': '/fb/',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    })
  })

  it('lets files without a hash be cached for a day', async () => {
    await using server = await testApp({ page })
    const answer = await server.ask('GET', '/static/img/logo.svg')
    expect(answer.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
  })

  it.each([
    ['/static/img/none.png', '404 page not found\n'],
    ['/static/none.js', '404 Not Found\n'],
    ['/static/', '404 page not found\n'],
    ['/static', '404 page not found\n'],
    ['/static/main-abcdefgh.js.br', '404 page not found\n'],
    ['/static/..%5Cindex.html', '404 page not found\n'],
    ['/static/img', '404 page not found\n'],
  ])('CVE-2023-37474: has nothing at %s', async (url, body) => {
    await using server = await testApp({ page })
    const answer = await server.ask('GET', url)
    expect([answer.statusCode, answer.body]).toEqual([404, body])
  })

  it.each([
    '/STATIC/main-abcdefgh.js',
    '/Static/img/logo.svg',
    '/static%2Fmain-abcdefgh.js',
    '/static/IMG/logo.svg',
    '/static/img%5Clogo.svg',
    '/static/main-abcdefgh.JS',
    '/static/main-abcdefgh.js%00.png',
    '/static/main-abcdefgh.js%20',
    '/static/main-abcdefgh%252ejs',
    '/static/main-abcdefgh.js/',
    '/static;/img/logo.svg',
  ])(
    'CVE-2026-6414, CVE-2026-15074, CVE-2026-90982, GHSA-8pvw-jcv7-9cmj: sends no file of the page at %s',
    async (url) => {
      await using server = await testApp({ page })
      const { statusCode, headers, body } = await server.askExactly('GET', url)
      expect(`${String(statusCode)} ${String(headers['content-type'])}`).toMatch(/^(404 text\/plain|200 text\/html)/)
      expect(body).not.toMatch(/^(console|<svg)/)
    },
  )

  it.each([
    '/static/%2e%2e/index.html',
    '/static/..%2Findex.html',
    '//evil.example/static/..',
    '//evil.example/%2e%2e/static/img',
  ])('CVE-2021-22963, CVE-2021-22964: redirects %s to a path of this server', async (url) => {
    await using server = await testApp({ page })
    const answer = await server.askExactly('GET', url)
    expect(answer.statusCode).toBe(301)
    expect(answer.headers.location).toMatch(/^\/(?!\/)/)
  })
})
