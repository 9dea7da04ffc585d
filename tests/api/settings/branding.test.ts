import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import type { BrandingFile } from '../../../src/domain/settings/branding.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testApp, type Client, type RequestExtras } from '../../helpers/api/test-app.ts'

const page = {
  'index.html': `<!doctype html><html><head><meta property="csp-nonce" nonce="" /><title>filemgr</title>
<script type="application/json" id="filemgr-config">{}</script></head><body></body></html>`,
  'static/img/logo.svg': '<svg>of the page</svg>',
}

const configOf = (html: string) =>
  JSON.parse(/id="filemgr-config">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as ClientConfig

/** A form as browsers send it. */
function form(files: Readonly<Record<string, string | Buffer>>, type = 'multipart/form-data'): RequestExtras {
  const parts = Object.entries(files).flatMap(([name, content]) => [
    `--edge\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`,
    content,
    '\r\n',
  ])
  const payload = Buffer.concat([...parts, '--edge--\r\n'].map((part) => Buffer.from(part)))
  return { payload, headers: { 'content-type': `${type}; boundary=edge` } }
}

async function served(options: Parameters<typeof testApp>[0] = {}) {
  const server = await testApp({ page, store: 'json', ...options })
  return { server, admin: await server.admin() }
}

const names = async (admin: Client) =>
  (await admin.ask('GET', '/api/branding')).json<BrandingFile[]>().map((f) => f.name)

describe('branding files', () => {
  it('are uploaded, served and removed, and the page links the uploaded styles', async () => {
    const { server, admin } = await served()
    await using _closing = server
    const css = async () => configOf((await server.ask('GET', '/')).body).CSS
    expect(await css()).toBe(false)
    const uploaded = await admin.ask('POST', '/api/branding', form({ 'custom.css': 'b {}', 'logo.svg': '<svg/>' }))
    expect([uploaded.statusCode, uploaded.json<BrandingFile[]>().map(({ name }) => name)]).toEqual([
      200,
      ['custom.css', 'img/logo.svg'],
    ])
    const styles = await server.ask('GET', '/static/custom.css')
    expect([styles.body, styles.headers['content-type']]).toEqual(['b {}', 'text/css; charset=utf-8'])
    expect((await server.ask('GET', '/static/img/logo.svg')).body).toBe('<svg/>')
    expect(await css()).toBe(true)
    expect(configOf((await server.ask('GET', '/')).body).Logo).toBe(true)
    expect((await server.ask('GET', '/')).body).toContain('<link rel="stylesheet" href="/static/custom.css" />')
    expect((await admin.ask('DELETE', '/api/branding/logo.svg')).statusCode).toBe(204)
    expect((await admin.ask('DELETE', '/api/branding/logo.svg')).statusCode).toBe(404)
    expect((await server.ask('GET', '/static/img/logo.svg')).body).toBe('<svg>of the page</svg>')
    expect(await names(admin)).toEqual(['custom.css'])
  })

  it('are refused in a broken form', async () => {
    const { server, admin } = await served()
    await using _closing = server
    const { payload = '', headers = {} } = form({ 'custom.css': 'b {}' })
    const whole = String(payload)
    const parts = [whole.slice(0, -20), whole.slice(0, 60), '--edge\r\nbroken', '--edge\r\n\r\n']
    for (const part of parts) {
      const answer = await admin.ask('POST', '/api/branding', { payload: part, headers })
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('form')])
    }
    expect(await names(admin)).toEqual([])
  })

  it('come from the folder that the setting names, which is never written to', async () => {
    await using own = await tempFolder({ 'custom.css': 'own {}', 'img/logo.svg': '<svg>own</svg>', 'secret.txt': 's' })
    const { server, admin } = await served({ settings: { branding: { files: own.path } } })
    await using _closing = server
    expect((await server.ask('GET', '/static/custom.css')).body).toBe('own {}')
    expect((await server.ask('GET', '/static/img/logo.svg')).body).toBe('<svg>own</svg>')
    expect((await admin.ask('POST', '/api/branding', form({ 'custom.css': 'x' }))).statusCode).toBe(409)
    expect((await admin.ask('DELETE', '/api/branding/custom.css')).statusCode).toBe(409)
    expect((await readdir(own.path)).toSorted()).toEqual(['custom.css', 'img', 'secret.txt'])
  })

  it('are revalidated on each request, and sent again only when they have changed', async () => {
    await using own = await tempFolder({ 'custom.css': 'own {}' })
    const { server } = await served({ settings: { branding: { files: own.path } } })
    await using _closing = server
    const { headers } = await server.ask('GET', '/static/custom.css')
    const again = { headers: { 'if-none-match': String(headers.etag) } }
    expect((await server.ask('GET', '/static/custom.css', again)).statusCode).toBe(304)
    await writeFile(own.at('custom.css'), 'changed {}')
    expect((await server.ask('GET', '/static/custom.css', again)).body).toBe('changed {}')
  })

  it('run no script, whatever an SVG contains', async () => {
    const { server, admin } = await served()
    await using _closing = server
    await admin.ask('POST', '/api/branding', form({ 'evil.svg': '<svg><script>alert(1)</script></svg>' }))
    const { headers } = await server.ask('GET', '/static/img/evil.svg')
    expect(headers['content-security-policy']).toMatch(/default-src 'none';.* sandbox/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('the branding folder', () => {
  it('hands out nothing but custom.css and pictures, and no link leads out of it', async () => {
    await using own = await tempFolder({ 'secret.txt': 's', 'img/notes.txt': 's', 'img/deep/x.png': 's', 'x.png': 's' })
    await using elsewhere = await tempFolder({ 'key.png': 'private' })
    await symlink(elsewhere.at('key.png'), own.at('img/link.png'))
    await symlink(elsewhere.at('key.png'), own.at('custom.css'))
    await mkdir(own.at('img/folder.png'))
    const { server } = await served({ settings: { branding: { files: own.path } } })
    await using _closing = server
    for (const name of [
      ...['secret.txt', 'x.png', 'img/notes.txt', 'img/deep/x.png', 'img/link.png', 'custom.css', 'img/folder.png'],
      ...['img/..%2Fsecret.txt', '..%2F..%2Fetc%2Fpasswd', 'img%2F..%2F..%2Fkey.png', 'img/none.png', 'img/.png'],
    ]) {
      const answer = await server.ask('GET', `/static/${name}`)
      expect([301, 404], name).toContain(answer.statusCode)
      expect(answer.body).not.toContain('private')
    }
    expect(configOf((await server.ask('GET', '/')).body).CSS).toBe(false)
  })

  it('does not serve what is too large', async () => {
    await using own = await tempFolder({ 'custom.css': 'x'.repeat(256 * 1024 + 1) })
    const { server } = await served({ settings: { branding: { files: own.path } } })
    await using _closing = server
    expect((await server.ask('GET', '/static/custom.css')).statusCode).toBe(404)
  })

  it('that is missing changes nothing', async () => {
    const { server, admin } = await served({ settings: { branding: { files: '/nowhere/at/all' } } })
    await using _closing = server
    expect((await server.ask('GET', '/')).statusCode).toBe(200)
    expect((await server.ask('GET', '/static/img/logo.svg')).body).toBe('<svg>of the page</svg>')
    expect(await names(admin)).toEqual([])
  })
})

describe('an upload of branding files', () => {
  it.each([
    ['../store.json', 400],
    ['index.html', 400],
    ['.hidden.png', 400],
    ['a/b.png', 200],
    ['script.js', 400],
    [`${'a'.repeat(300)}.png`, 400],
    ['__proto__', 400],
    ['logo.svg.html', 400],
  ])(
    'CVE-2020-8136, CVE-2021-23597: with the name %s is answered with %d and leaves the rest alone',
    async (name, status) => {
      const { server, admin } = await served()
      await using _closing = server
      const before = (await readdir(server.context.dataFolder)).toSorted()
      expect((await admin.ask('POST', '/api/branding', form({ [name]: 'x' }))).statusCode).toBe(status)
      const after = (await readdir(server.context.dataFolder)).filter((entry) => entry !== 'branding')
      expect(after.toSorted()).toEqual(before)
      // A browser that sends a path means its last part.
      expect(await names(admin)).toEqual(status === 200 ? ['img/b.png'] : [])
    },
  )

  it('CVE-2025-24033: that is too large keeps the old file, and leaves nothing behind', async () => {
    const { server, admin } = await served()
    await using _closing = server
    await admin.ask('POST', '/api/branding', form({ 'custom.css': 'old' }))
    const large = await admin.ask('POST', '/api/branding', form({ 'custom.css': 'x'.repeat(256 * 1024 + 1) }))
    expect(large.statusCode).toBe(413)
    const picture = await admin.ask('POST', '/api/branding', form({ 'a.png': Buffer.alloc(2 * 1024 * 1024 + 1) }))
    expect(picture.statusCode).toBe(413)
    expect((await admin.ask('POST', '/api/branding', form({ 'custom.css': '' }))).statusCode).toBe(400)
    expect((await server.ask('GET', '/static/custom.css')).body).toBe('old')
    expect(await readdir(join(server.context.dataFolder, 'branding'))).not.toContainEqual(
      expect.stringContaining('tmp'),
    )
  })

  it('CVE-2023-25576: is refused with too many parts, or with a field that is no file', async () => {
    const { server, admin } = await served()
    await using _closing = server
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}.png`, 'x']))
    expect((await admin.ask('POST', '/api/branding', form(many))).statusCode).toBe(400)
    const payload = '--edge\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--edge--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
    expect((await admin.ask('POST', '/api/branding', { payload, headers })).statusCode).toBe(400)
  })

  it.each([0, 1, 70, 71, 252, 4000])(
    'CVE-2026-18549: is answered, valid or not, with a boundary of %i characters',
    async (length) => {
      const { server, admin } = await served()
      await using _closing = server
      const edge = '-'.repeat(length)
      const head = 'Content-Disposition: form-data; name="f"; filename="custom.css"'
      for (const end of [`\r\n--${edge}--\r\n`, `\r\n--${edge.slice(1)}`, '']) {
        const payload = `--${edge}\r\n${head}\r\n\r\n${'-'.repeat(5000)}\r${end}`
        const headers = { 'content-type': `multipart/form-data; boundary=${edge}` }
        const { statusCode } = await admin.ask('POST', '/api/branding', { payload, headers })
        expect(length >= 1 && length <= 70 ? [200, 400] : [400]).toContain(statusCode)
      }
      expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
    },
  )

  it.each(['application/json', 'multipart/mixed', 'text/plain'])('is refused as %s', async (type) => {
    const { server, admin } = await served()
    await using _closing = server
    expect((await admin.ask('POST', '/api/branding', form({ 'custom.css': 'x' }, type))).statusCode).toBe(415)
  })

  it('needs a file name', async () => {
    const { server, admin } = await served()
    await using _closing = server
    const part = 'Content-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream'
    const payload = `--edge\r\n${part}\r\n\r\nx\r\n--edge--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
    expect((await admin.ask('POST', '/api/branding', { payload, headers })).statusCode).toBe(400)
  })

  it('is refused when the store is only in memory', async () => {
    const { server, admin } = await served({ store: 'memory' })
    await using _closing = server
    expect((await admin.ask('POST', '/api/branding', form({ 'custom.css': 'x' }))).statusCode).toBe(409)
  })
})

describe('the name and the colour', () => {
  const NAME = '</title><script>alert(1)</script>\u2028"&\''

  it('CVE-2026-34530: are text in the page, whatever is written into them', async () => {
    const { server } = await served({ settings: { branding: { name: NAME, color: '#ff0000' } } })
    await using _closing = server
    const { body } = await server.ask('GET', '/')
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('\u2028')
    expect(configOf(body).Name).toBe(NAME)
    expect(body).toContain('<meta name="theme-color" content="#ff0000" />')
    expect(body.match(/<\/title>/g)).toHaveLength(1)
  })

  it('are in the web manifest of the page', async () => {
    const { server } = await served({
      settings: { branding: { name: NAME, color: '#00f' } },
      options: { baseURL: '/fb' },
    })
    await using _closing = server
    expect((await server.ask('GET', '/fb/')).body).toContain(
      '<link rel="manifest" href="/fb/static/manifest.webmanifest" />',
    )
    const answer = await server.ask('GET', '/fb/static/manifest.webmanifest')
    expect(answer.headers['content-type']).toContain('application/manifest+json')
    expect(answer.json()).toMatchObject({
      name: NAME,
      start_url: '/fb/',
      theme_color: '#00f',
      share_target: { action: '/fb/receive' },
    })
    const icons = answer.json<{ icons: { src: string }[] }>().icons
    expect(icons.map(({ src }) => src)).toEqual(
      ['logo.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'].map((name) => `/fb/static/img/${name}`),
    )
  })
})
