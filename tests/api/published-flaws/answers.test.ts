import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { sampleAddress } from '../../helpers/api/sample-address.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const SCRIPT = '<script>alert(1)</script>'
const PAGE = {
  'index.html': `<!doctype html><html><head><meta property="csp-nonce" nonce="" /><title>filemgr</title>
<script type="application/json" id="filemgr-config">{}</script></head><body></body></html>`,
  'static/main-12345678.js': 'let main',
}
/** Text that template engines would evaluate, or that names a file. */
const MACROS = ['{.exec|id.}', '{{7*7}}', '${7*7}', '<%= 7*7 %>', '%7B%7B7*7%7D%7D', '..%252f..%252fetc%252fpasswd']

const withoutNonce = (html: string) => html.replaceAll(/nonce="[^"]*"/g, 'nonce=""')

describe('published flaws of answers', () => {
  it.each(OPERATIONS)(
    'CVE-2023-38501, CVE-2025-54589, CVE-2026-27948: $method $path returns no part of the query as markup',
    async (operation) => {
      await using server = await testApp({ files: { 'a.txt': 'a' } })
      const admin = await server.admin()
      const address = sampleAddress(operation)
      const query = [
        'query',
        'folder',
        'path',
        'action',
        'destination',
        'algo',
        'files',
        'checksum',
        'user',
        'k',
        'h',
        'setck',
      ]
      const attack = query.map((name) => `${name}=${encodeURIComponent(`">${SCRIPT}`)}`).join('&')
      const headers = { accept: 'text/html', 'upload-length': SCRIPT, 'content-type': SCRIPT, 'user-agent': SCRIPT }
      for (const url of [
        `${address.split('?')[0] ?? ''}?${attack}`,
        `${address.split('?')[0] ?? ''}/${SCRIPT}?${attack}`,
      ]) {
        const { headers: sent, body } = await admin.ask(operation.method, encodeURI(url), { headers })
        expect(sent['x-content-type-options']).toBe('nosniff')
        if (String(sent['content-type']).includes('html')) expect(body).not.toContain('<script')
      }
    },
  )

  it.each(['/api/raw', '/api/usage', '/api/resources'])(
    'CVE-2023-38501: the redirect of "%s" contains no markup',
    async (path) => {
      await using server = await testApp()
      const { statusCode, body } = await server.askExactly('GET', `${path}?"><script>alert(1)</script>&'onload='x`)
      expect(statusCode).toBe(301)
      expect(/^<a href="([^"<]*)">Moved Permanently<\/a>\.\n\n$/.exec(body)?.[1]).toContain('&lt;script')
    },
  )

  it('GHSA-cw7j-v52w-fp5r: a line break in an address, a name or a cookie adds no header', async () => {
    await using server = await testApp({ files: { 'a\r\nSet-Cookie: x=1.txt': 'a', 'x/b.txt': 'b' }, page: PAGE })
    const admin = await server.admin()
    const broken = '%0d%0aSet-Cookie:%20x=1'
    const name = encodeURIComponent('a\r\nSet-Cookie: x=1.txt')
    for (const [method, url] of [
      ['GET', `/api/raw/${name}`],
      ['GET', `/api/raw/${name}?inline=true`],
      ['GET', `/api/raw/?algo=zip&files=${name},x`],
      ['GET', `//api/raw/${broken}`],
      ['GET', `/api/raw?${broken}`],
      ['GET', `/api/raw/../${broken}/`],
      ['PATCH', `/api/resources/x/b.txt?action=copy&destination=${encodeURIComponent(`/${broken}`)}`],
      ['GET', `/files/${broken}?lang=${broken}`],
    ] as const) {
      const headers = { 'x-auth': admin.token, cookie: `auth=${broken}` }
      const answer = await server.askExactly(method, url, { headers })
      expect(answer.statusCode, url).toBeLessThan(500)
      expect(answer.headers, url).not.toHaveProperty('set-cookie')
      expect(JSON.stringify(answer.headers), url).not.toMatch(/\\[rn]/)
    }
  })

  it('CVE-2014-6287, CVE-2024-23692, CVE-2026-61505: no text of a request gets into the page', async () => {
    await using server = await testApp({ page: PAGE })
    const plain = withoutNonce((await server.ask('GET', '/')).body)
    const anyLink = withoutNonce((await server.ask('GET', '/share/none')).body)
    for (const text of [...MACROS, SCRIPT, '../../../../etc/passwd']) {
      const headers = { 'user-agent': text, 'accept-language': text, cookie: `lang=${text}`, referer: text }
      for (const url of [`/files/${encodeURIComponent(text)}`, `/?lang=${text}&search=${text}`, `/share/${text}`]) {
        const { statusCode, body } = await server.ask('GET', encodeURI(url), { headers })
        if (statusCode === 301) continue
        expect(statusCode, url).toBe(200)
        expect(url.startsWith('/share/') ? [plain, anyLink] : [plain], url).toContain(withoutNonce(body))
      }
    }
  })

  it('CVE-2026-61505: a language that is a path is kept as text and opens no file', async () => {
    await using server = await testApp({ page: PAGE })
    const ann = await server.user('ann', {}, { locale: '../../x' })
    const plain = withoutNonce((await server.ask('GET', '/')).body)
    const signedIn = await server.ask('GET', '/', { headers: { cookie: `auth=${ann.token}` } })
    expect(withoutNonce(signedIn.body).replace('"CookieSession":true,', '')).toBe(plain)
    expect((await server.ask('GET', '/static/i18n/..%5C..%5Cx.json')).statusCode).toBe(404)
  })

  it('CVE-2026-61504, CVE-2026-61501, CVE-2025-54423, GHSA-cf7g-cm7q-rq7f: names with markup are data, never a page', async () => {
    const name = '<img src=x onerror=alert(1)>.mp3'
    await using server = await testApp({ files: { [name]: SCRIPT } })
    const admin = await server.admin()
    const share = await admin.ask('POST', '/api/share/', { payload: '{}' })
    const { hash } = share.json<{ hash: string }>()
    await server.ask('POST', '/api/login', { payload: JSON.stringify({ username: name, password: 'x' }) })
    for (const url of [
      '/api/audit',
      '/api/resources/',
      '/api/search/?query=img',
      `/api/public/share/${hash}`,
      '/api/raw/none',
    ]) {
      const { headers, body } = await admin.ask('GET', url, { headers: { accept: 'text/html,*/*' } })
      expect(headers['content-type'], url).toMatch(/^(application\/(json|x-ndjson)|text\/plain)/)
      expect(headers['x-content-type-options'], url).toBe('nosniff')
      if (url !== '/api/raw/none') expect(body, url).toContain('onerror=alert(1)')
    }
  })

  it('GHSA-r633-fcgp-m532: the page of a public link shows a name as text, and none if it has a password', async () => {
    const name = `a${SCRIPT.replace('/', '\u2215')}`
    await using server = await testApp({ files: { [`${name}/a.txt`]: 'a' }, page: PAGE })
    const admin = await server.admin()
    const pageOf = async (payload: object) => {
      const address = `/api/share/${encodeURIComponent(name)}/`
      const share = await admin.ask('POST', address, { payload: JSON.stringify(payload) })
      return withoutNonce((await server.ask('GET', `/share/${share.json<{ hash: string }>().hash}`)).body)
    }
    expect(await pageOf({})).toContain('a&lt;script&gt;alert(1)&lt;')
    expect(await pageOf({})).not.toContain('<script>alert')
    expect(await pageOf({ password: 'open' })).toBe(withoutNonce((await server.ask('GET', '/share/none')).body))
  })

  it('GHSA-3jmg-p96m-m328: unauthenticated clients learn neither folders nor names of this machine', async () => {
    await using server = await testApp({ files: { 'private/a.txt': 'a' }, page: PAGE, store: 'json' })
    await server.user('jonquil', ALL_PERMISSIONS)
    const urls = OPERATIONS.filter(({ method }) => method === 'GET').map((operation) => sampleAddress(operation))
    for (const url of [...urls, '/', '/static/none', '/api/nosuch', '/api/public/share/none/private']) {
      const { body, headers } = await server.ask('GET', url, { headers: { accept: 'application/json' } })
      const answer = `${body}${JSON.stringify(headers)}`
      for (const secret of [server.root, server.context.dataFolder, 'jonquil', 'private/a.txt'])
        expect(answer.includes(secret), `${url} tells ${secret}`).toBe(false)
    }
  })

  it('GHSA-3jmg-p96m-m328: an error does not reveal where the served folder is', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a', 'home/b.txt': 'b' } })
    const ann = await server.user('ann', { ...ALL_PERMISSIONS, admin: false }, { scope: '/home' })
    for (const operation of OPERATIONS)
      for (const file of ['none/none.txt', 'b.txt/c.txt', 'x'.repeat(256), 'a%00']) {
        const headers = { accept: 'application/json', 'upload-length': '1' }
        const answer = await ann.ask(operation.method, sampleAddress(operation, { file }), { headers, payload: '{}' })
        expect(answer.body, `${operation.id} ${file}`).not.toContain(server.root)
        expect(answer.body, `${operation.id} ${file}`).not.toMatch(/\/home\b|ENOENT|ENOTDIR|node:|\.ts:\d/)
      }
  })

  it('CVE-2025-53893: a text of more than 10 MiB is described without its content', async () => {
    const limit = 10 * 1024 * 1024
    await using server = await testApp({ files: { 'just.txt': 'x'.repeat(limit), 'over.txt': 'x'.repeat(limit + 1) } })
    const admin = await server.admin()
    const lengthOf = async (name: string) => {
      const answer = await admin.ask('GET', `/api/resources/${name}`)
      expect(answer.statusCode).toBe(200)
      return answer.json<{ content?: string }>().content?.length
    }
    expect([await lengthOf('just.txt'), await lengthOf('over.txt')]).toEqual([limit, undefined])
  })
})
