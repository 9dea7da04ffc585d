import { describe, expect, it } from 'vitest'
import type { AuditEntry, AuditPage } from '../../../src/domain/server/audit.ts'
import { openTerminal } from '../../helpers/api/open-terminal.ts'
import { PASSWORD, testApp, type Client } from '../../helpers/api/test-app.ts'

async function entries({ ask }: Client, query = ''): Promise<AuditEntry[]> {
  return (await ask('GET', `/api/audit${query}`)).json<AuditPage>().entries
}

const login = (username: string, password = PASSWORD) => ({ payload: JSON.stringify({ username, password }) })

describe('the audit log', () => {
  it('says who did what to which path, from where, and how it ended', async () => {
    await using app = await testApp({ files: { 'a.txt': 'a' } })
    const admin = await app.admin()
    await admin.ask('PATCH', '/api/resources/a.txt?action=rename&destination=%2Fb.txt')
    await admin.ask('DELETE', '/api/resources/a.txt')
    const bob = await app.user('bob')
    await bob.ask('DELETE', '/api/resources/b.txt')
    const found = await entries(admin, '?action=files.')
    expect(found).toEqual([
      expect.objectContaining({ who: 'bob', action: 'files.remove', target: '/b.txt', outcome: 'refused' }),
      expect.objectContaining({ who: 'admin', action: 'files.remove', target: '/a.txt', outcome: 'refused' }),
      expect.objectContaining({ who: 'admin', userID: 1, target: '/a.txt', destination: '/b.txt', outcome: 'done' }),
    ])
    expect(found[0]).toMatchObject({ address: '127.0.0.1', session: expect.stringMatching(/^.{8}$/) as string })
  })

  it('distinguishes created, overwritten, copied, moved, trashed and deleted files, by paths in the served folder', async () => {
    await using app = await testApp({ files: { 'homes/bob/': '' } })
    const admin = await app.admin()
    const perm = { create: true, modify: true, rename: true, delete: true, download: true }
    const bob = await app.user('bob', perm, { scope: '/homes/bob' })
    const upload = {
      headers: { 'upload-length': '1', 'content-type': 'application/offset+octet-stream' },
      payload: 'x',
    }
    await bob.ask('POST', '/api/resources/a.txt', { payload: 'one' })
    await bob.ask('POST', '/api/resources/a.txt?override=true', { payload: 'two' })
    await bob.ask('PUT', '/api/resources/a.txt', { payload: 'three' })
    await bob.ask('POST', '/api/tus/b.txt', upload)
    await bob.ask('POST', '/api/tus/b.txt?override=true', upload)
    await bob.ask('PATCH', '/api/resources/a.txt?action=copy&destination=%2Fc.txt')
    await bob.ask('PATCH', '/api/resources/c.txt?action=rename&destination=%2Fd.txt')
    await bob.ask('DELETE', '/api/resources/d.txt?trash=true')
    await bob.ask('DELETE', '/api/resources/a.txt')
    await bob.ask('DELETE', '/api/resources/a.txt')
    const found = (await entries(admin, '?user=bob')).toReversed().filter(({ action }) => action !== 'auth.login')
    const inHome = (path = '') => path.replace('/homes/bob/', '')
    expect(
      found.map(({ action, effect, target, destination = '', outcome }) => [
        ...[action, effect ?? outcome, inHome(target), inHome(destination)],
      ]),
    ).toEqual([
      ['files.create', 'created', 'a.txt', ''],
      ['files.create', 'overwritten', 'a.txt', ''],
      ['files.save', 'overwritten', 'a.txt', ''],
      ['uploads.begin', 'created', 'b.txt', ''],
      ['uploads.begin', 'overwritten', 'b.txt', ''],
      ['files.transfer', 'copied', 'a.txt', 'c.txt'],
      ['files.transfer', 'moved', 'c.txt', 'd.txt'],
      ['files.remove', 'trashed', 'd.txt', ''],
      ['files.remove', 'deleted', 'a.txt', ''],
      ['files.remove', 'refused', 'a.txt', ''],
    ])
  })

  it('records who downloaded a file and who opened a link, once for all ranges of a file', async () => {
    await using app = await testApp({ files: { 'docs/a.txt': 'text' } })
    const admin = await app.admin()
    const bob = await app.user('bob', { download: false })
    const share = (await admin.ask('POST', '/api/share/docs', { payload: '{}' })).json<{ hash: string }>()
    await admin.ask('GET', '/api/raw/docs/a.txt')
    await admin.ask('GET', '/api/raw/docs/a.txt', { headers: { range: 'bytes=0-1' } })
    await admin.ask('GET', '/api/raw/docs/a.txt', { headers: { range: 'bytes=2-3' } })
    await admin.ask('GET', '/api/raw/docs/missing.txt')
    await bob.ask('GET', '/api/raw/docs/a.txt')
    await app.ask('GET', `/api/public/share/${share.hash}`)
    await app.ask('GET', `/api/public/dl/${share.hash}/a.txt`)
    const found = (await entries(admin)).toReversed()
    const recorded = found.filter(({ action }) => action === 'downloads.raw' || action.startsWith('public.'))
    const link = `${share.hash.slice(0, 4)}…`
    expect(recorded.map(({ who, effect, target, outcome, link: by }) => [who, effect, target, outcome, by])).toEqual([
      ['admin', 'downloaded', '/docs/a.txt', 'done', undefined],
      ['admin', 'downloaded', '/docs/a.txt', 'done', undefined],
      ['bob', undefined, '/docs/a.txt', 'refused', undefined],
      ['visitor', 'visited', '/docs', 'done', link],
      ['visitor', 'downloaded', '/docs/a.txt', 'done', link],
    ])
  })

  it('does not record the pictures of lists as downloads', async () => {
    const files = { 'docs/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>', 'docs/a.txt': 'text' }
    await using app = await testApp({ files })
    const admin = await app.admin()
    const share = (await admin.ask('POST', '/api/share/docs', { payload: '{}' })).json<{ hash: string }>()
    const headers = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }
    await admin.ask('GET', '/api/preview/thumb/docs/a.svg?inline=true', { headers })
    for (const [address, accept] of [
      ['docs/a.svg?inline=true', headers.accept],
      ['docs/a.svg?inline=true', 'text/html,*/*;q=0.8'],
      ['docs/a.svg', headers.accept],
      ['docs/a.txt?inline=true', headers.accept],
    ] as const)
      await admin.ask('GET', `/api/raw/${address}`, { headers: { accept } })
    await app.ask('GET', `/api/public/dl/${share.hash}/a.svg?inline=true`, { headers })
    await app.ask('GET', `/api/public/dl/${share.hash}/a.svg`, { headers })
    const found = (await entries(admin)).toReversed().filter(({ effect }) => effect === 'downloaded')
    expect(found.map(({ who, target }) => [who, target])).toEqual([
      ['admin', '/docs/a.svg'],
      ['admin', '/docs/a.svg'],
      ['admin', '/docs/a.txt'],
      ['visitor', '/docs/a.svg'],
    ])
  })

  it('records who took a backup, which holds the hashes of all passwords, and who tried to', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    await admin.ask('GET', '/api/backup')
    await admin.ask('GET', '/api/backup', { headers: { 'x-current-password': PASSWORD } })
    expect(await entries(admin, '?action=backup.')).toEqual([
      expect.objectContaining({ who: 'admin', action: 'backup.create', outcome: 'done' }),
      expect.objectContaining({ who: 'admin', action: 'backup.create', outcome: 'refused' }),
    ])
  })

  it('records who tried to sign in, but neither passwords nor the whole hash of a link', async () => {
    await using app = await testApp({ files: { 'a.txt': 'a' } })
    const admin = await app.admin()
    await app.ask('POST', '/api/login', login('admin', 'a wrong passphrase'))
    await app.ask('POST', '/api/login', login(`\u001b[2J${'x'.repeat(80)}`))
    const payload = JSON.stringify({ password: 'an open sesame' })
    const share = (await admin.ask('POST', '/api/share/a.txt', { payload })).json<{ hash: string }>()
    await app.ask('GET', `/api/public/dl/${share.hash}`, { headers: { 'x-share-password': 'a wrong word' } })
    await admin.ask('DELETE', `/api/share/${share.hash}`)
    const found = await entries(admin)
    const text = JSON.stringify(found)
    for (const secret of ['passphrase', 'sesame', 'wrong', share.hash, PASSWORD]) expect(text).not.toContain(secret)
    expect(found.map(({ action, target, outcome }) => `${action} ${target} ${outcome}`)).toEqual([
      `shares.remove ${share.hash.slice(0, 4)}… done`,
      `public.download ${share.hash.slice(0, 4)}… refused`,
      'shares.create /a.txt done',
      `auth.login \ufffd[2J${'x'.repeat(60)}… refused`,
      'auth.login admin refused',
      'auth.login admin done',
    ])
  })

  it('cannot be forged by names with line breaks, and holds no escape sequences or direction overrides', async () => {
    const name = 'a\n{"who":"eve"}\r\u001b[2J\u009b2J\u007f\u202e\u2028'
    const encoded = encodeURIComponent(name)
    await using app = await testApp({ options: { enableExec: true }, files: { [name]: 'a' } })
    const admin = await app.admin()
    await admin.ask('PATCH', `/api/resources/${encoded}?action=copy&destination=%2F${encoded}`)
    await admin.ask('DELETE', `/api/resources/${encoded}`)
    await app.ask('POST', '/api/login', login(name))
    const terminal = await openTerminal(app, { headers: { 'x-auth': admin.token }, folder: `/${encoded}` })
    terminal.socket.send(`'${name}'`)
    await terminal.ended
    const found = await entries(admin)
    expect(found.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['files.transfer', 'files.remove', 'auth.login', 'terminal.run']),
    )
    for (const entry of found) {
      for (const text of Object.values(entry).filter((value) => typeof value === 'string')) {
        // eslint-disable-next-line no-control-regex -- control characters are what is looked for
        expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2028]/)
      }
    }
  })

  it('names destinations as they are, and bytes that are not UTF-8 so that every program reads the line', async () => {
    await using app = await testApp({ files: { 'a.txt': 'a' } })
    const admin = await app.admin()
    const send = async (destination: string) =>
      (await admin.ask('PATCH', `/api/resources/a.txt?action=copy&destination=${destination}`)).statusCode
    expect(await send('%2Fnew%2520%25C3%25A4%252525.txt')).toBe(200)
    expect(await send('%2Fn%25E9w.txt')).toBe(400)
    expect(await send('%2Fcut%25')).toBe(400)
    await admin.ask('DELETE', '/api/resources/%C3%A9%E9.txt')
    const lines = (await admin.ask('GET', '/api/audit?action=files.')).body
    expect(lines).not.toContain('\\ud')
    const found = (JSON.parse(lines) as AuditPage).entries
    expect(found.map(({ target, destination }) => destination ?? target)).toEqual([
      '/é\\xE9.txt',
      '/cut%',
      '/n\\xE9w.txt',
      '/new ä%25.txt',
    ])
  })

  it('has one line for the start of an upload and one for its end', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    await admin.ask('POST', '/api/tus/a.bin', { headers: { 'upload-length': '4' } })
    const part = (offset: number) => ({
      payload: Buffer.from('ab'),
      headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    })
    await admin.ask('PATCH', '/api/tus/a.bin', part(0))
    await admin.ask('PATCH', '/api/tus/a.bin', part(2))
    const actions = (await entries(admin, '?action=uploads.')).map(({ action }) => action)
    expect(actions).toEqual(['uploads.append', 'uploads.begin'])
  })

  it('is for administrators only, and does not record what they read', async () => {
    await using app = await testApp()
    const admin = await app.admin()
    const bob = await app.user('bob')
    expect((await bob.ask('GET', '/api/audit')).statusCode).toBe(403)
    for (const limit of ['0', 'true', 'false', '1.5', 'ten', ''])
      expect((await admin.ask('GET', `/api/audit?limit=${limit}`)).statusCode, limit).toBe(400)
    await admin.ask('GET', '/api/resources/')
    await admin.ask('POST', '/api/rules/preview', { payload: '{"rules":[]}' })
    const actions = (await entries(admin)).map(({ action }) => action)
    expect(actions.filter((action) => action !== 'auth.login' && action !== 'users.create')).toEqual([])
  })
})
