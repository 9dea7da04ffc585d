import { describe, expect, it } from 'vitest'
import { movableClock } from '../../helpers/movable-clock.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import {
  denyAll,
  detailsOf,
  serveShared,
  SHARED_FILES,
  shareOf,
  visit,
  withPassword,
} from '../../helpers/api/shared.ts'

const page = {
  'index.html': `<!doctype html><html><head><meta property="csp-nonce" nonce="" /><title>filemgr</title>
<script type="application/json" id="filemgr-config">{}</script></head>
<body><noscript>This page needs JavaScript.</noscript></body></html>`,
  'static/main-abcdefgh.js': '',
}
const NO_NAMES = '<noscript>This page needs JavaScript.</noscript>'

/** The page without its nonce, which differs in each answer. */
function withoutNonce(html: string): string {
  return html.replace(/ nonce="[^"]*"/, '')
}

describe('the page of a public link, before any script runs', () => {
  it('has the name for previews in chats, and a download link for browsers without scripts', async () => {
    const { server, ann } = await serveShared({ page })
    await using _server = server
    const [folder, file] = [await shareOf(ann, '/docs'), await shareOf(ann, '/docs/a.txt')]
    const ofFolder = await server.ask('GET', `/share/${folder.hash}/`)
    expect(ofFolder.body).toContain('<meta property="og:title" content="docs" />')
    expect(ofFolder.body).toContain('content="A folder shared with filemgr"')
    expect(ofFolder.body).toContain(`/api/public/dl/${folder.hash}/">Download docs as a zip archive</a>`)
    expect((await server.ask('GET', `/share/${folder.hash}/sub/b.txt`)).body).toContain('content="b.txt"')
    const { body } = await server.ask('GET', `/share/${file.hash}`)
    const link = /<noscript><p><a href="http:\/\/[^/]+(\/[^"]+)">Download a\.txt</.exec(body)?.[1] ?? ''
    expect((await server.ask('GET', link)).body).toBe('alpha')
    expect((await detailsOf(ann, folder)).openings).toBe(0)
  })

  it('has a picture for previews in chats only if the link leads to one', async () => {
    const picture = await quarters(30, 20).png().toBuffer()
    const { server, ann } = await serveShared({ page, files: { ...SHARED_FILES, 'p.png': picture, 'd.svg': '<svg/>' } })
    await using _server = server
    const share = await shareOf(ann, '/p.png')
    const { body } = await server.ask('GET', `/share/${share.hash}`)
    const address = /og:image" content="http:\/\/[^/]+(\/[^"]+)"/.exec(body)?.[1] ?? ''
    const answer = await server.ask('GET', address)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    for (const path of ['/d.svg', '/docs']) {
      expect((await server.ask('GET', `/share/${(await shareOf(ann, path)).hash}`)).body).not.toContain('og:image')
    }
  })

  it('is the same for protected, expired, denied and unknown links, so that nobody can tell them apart', async () => {
    const clock = movableClock()
    const { server, ann } = await serveShared({ page, clock })
    await using _server = server
    const closed = await shareOf(ann, '/docs', { password: 'open' })
    const old = await shareOf(ann, '/docs', { expires: '1', unit: 'hours' })
    const forbidden = await shareOf(ann, '/docs2')
    clock.move(2 * 3_600_000)
    await denyAll(server, '/docs2')
    const { token } = (await visit(server, closed, '', withPassword('open'))).json<{ token: string }>()
    const pages = [closed.hash, `${closed.hash}/a.txt?token=${token}`, old.hash, forbidden.hash, 'no-such-hash']
    const answers = await Promise.all(pages.map(async (address) => await server.ask('GET', `/share/${address}`)))
    expect(new Set(answers.map(({ body }) => withoutNonce(body))).size).toBe(1)
    expect(answers[0]?.body).toContain(NO_NAMES)
    expect(answers[0]?.body).toContain('<meta property="og:title" content="filemgr" />')
  })

  it('GHSA-r633-fcgp-m532: shows a name with markup as text', async () => {
    const name = '"><script>alert(1)<'
    const { server, ann } = await serveShared({ page, files: { [name]: 'x' } })
    await using _server = server
    const { hash } = await shareOf(ann, `/${encodeURIComponent(name)}`)
    const { body } = await server.ask('GET', `/share/${hash}`)
    expect(body).not.toContain('<script>alert')
    expect(body).toContain('content="&quot;&gt;&lt;script&gt;alert(1)&lt;"')
    expect((await server.ask('GET', `/share/${hash}/"><script>`)).body).not.toContain('<script>"')
  })

  it('is not cached, not indexed, and sends no referrer', async () => {
    const { server } = await serveShared({ page })
    await using _server = server
    const { headers } = await server.ask('GET', '/share/abc')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(headers['x-robots-tag']).toBe('noindex')
    expect((await server.ask('GET', '/files/')).headers['x-robots-tag']).toBeUndefined()
    expect((await server.ask('GET', '/share/%zz')).statusCode).toBeLessThan(500)
  })
})

describe('an answer to a visitor', () => {
  it('contains the expiry of a link that has one', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs', { expires: '1', unit: 'days' })
    for (const rest of ['', '/sub', '/a.txt']) {
      expect((await visit(server, share, rest)).json()).toMatchObject({ expire: share.expire })
    }
    expect((await visit(server, await shareOf(ann, '/docs'))).json()).not.toHaveProperty('expire')
  })

  it('includes previews of pictures only with the password, like everything else', async () => {
    const picture = await quarters(600, 400).png().toBuffer()
    const { server, ann } = await serveShared({ files: { 'docs/p.png': picture, 'q.png': picture } })
    await using _server = server
    const share = await shareOf(ann, '/docs', { password: 'open' })
    const small = async (rest: string) => await server.ask('GET', `/api/public/preview/thumb/${share.hash}${rest}`)
    const { token } = (await visit(server, share, '', withPassword('open'))).json<{ token: string }>()
    expect((await small('/p.png?inline=true')).statusCode).toBe(401)
    const answer = await small(`/p.png?inline=true&token=${token}`)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.rawPayload.length).toBeLessThan(picture.length)
    expect((await small(`/..%2Fq.png?token=${token}`)).statusCode).not.toBe(200)
    expect((await small(`/q.png?token=${token}`)).statusCode).toBe(404)
  })
})
