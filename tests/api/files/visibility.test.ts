import { readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Listing } from '../../../src/domain/files/resource.ts'
import { testApp } from '../../helpers/api/test-app.ts'

describe('rules and hidden files', () => {
  const deny = (path: string) => ({ rules: [{ regex: false, allow: false, path, regexp: null }] })

  it('are checked before the server says whether a file exists', async () => {
    await using server = await testApp({ files: { 'secret/a.txt': 'a' } })
    const ann = await server.user('ann', { download: true, create: true }, deny('/secret'))
    for (const url of [
      '/api/resources/secret',
      '/api/resources/secret/none',
      '/api/raw/secret/a.txt',
      '/api/usage/secret',
    ]) {
      expect((await ann.ask('GET', url)).statusCode, url).toBe(403)
    }
    expect((await ann.ask('POST', '/api/resources/secret/b.txt')).statusCode).toBe(403)
    expect((await ann.ask('GET', '/api/resources/recursive/secret')).statusCode).toBe(403)
    expect((await ann.ask('GET', '/api/resources/')).body).not.toContain('secret')
  })

  it('CVE-2026-35605: deny a whole name, not every name that begins with it', async () => {
    await using server = await testApp({ files: { 'admin/a.txt': 'a', 'admin_backup/a.txt': 'b' } })
    const ann = await server.user('ann', { download: true }, deny('/admin'))
    expect((await ann.ask('GET', '/api/raw/admin/a.txt')).statusCode).toBe(403)
    expect((await ann.ask('GET', '/api/raw/admin_backup/a.txt')).body).toBe('b')
  })

  it('CVE-2026-25890: hold however the address is spelled', async () => {
    await using server = await testApp({ files: { 'secret/a.txt': 'hidden text' } })
    const ann = await server.user('ann', { download: true }, deny('/secret'))
    for (const path of [
      '//secret/a.txt',
      '/./secret/a.txt',
      '/%2Fsecret/a.txt',
      '/x/../secret/a.txt',
      '/secret%2Fa.txt',
    ]) {
      const answer = await server.askExactly('GET', `/api/raw${path}`, { headers: { 'x-auth': ann.token } })
      expect([301, 403], path).toContain(answer.statusCode)
      const landed = answer.statusCode === 301 ? await ann.ask('GET', String(answer.headers.location)) : answer
      expect(landed.statusCode, path).toBe(403)
    }
  })

  it('CVE-2026-25890: hold in any case and Unicode form, as a disk may not distinguish them', async () => {
    await using server = await testApp({ files: { 'SECRET/a.txt': 'hidden text', 'open/a.txt': 'a' } })
    const ann = await server.user('ann', { download: true, delete: true }, deny('/secret'))
    for (const url of ['/api/resources/SECRET', '/api/raw/SECRET/a.txt', '/api/raw/%C5%BFECRET/a.txt']) {
      expect((await ann.ask('GET', url)).statusCode, url).toBe(403)
    }
    expect((await ann.ask('GET', '/api/resources/')).body).not.toContain('SECRET')
    expect((await ann.ask('GET', '/api/search/?query=a.txt')).body).not.toContain('SECRET')
    expect((await ann.ask('GET', '/api/resources/recursive/')).body).not.toContain('SECRET')
    expect((await ann.ask('GET', '/api/raw/?algo=tar')).body).not.toContain('hidden text')
  })

  it('are not bypassed by a link: its target is checked as well', async () => {
    await using server = await testApp({ files: { 'pub/deny/secret.txt': 'hidden text', 'pub/open.txt': 'open' } })
    await symlink('pub/deny', join(server.root, 'to-denied'))
    await symlink('pub', join(server.root, 'to-pub'))
    const all = { download: true, create: true, modify: true, rename: true, delete: true, share: true }
    const ann = await server.user('ann', all, deny('/pub/deny'))
    for (const alias of ['/to-denied', '/to-pub/deny']) {
      for (const url of [`/api/resources${alias}`, `/api/raw${alias}/secret.txt`, `/api/raw${alias}?algo=zip`])
        expect((await ann.ask('GET', url)).statusCode, url).toBe(403)
      const upload = await ann.ask('POST', `/api/resources${alias}/secret.txt?override=true`, { payload: 'forged' })
      expect(upload.statusCode, alias).toBe(403)
      expect((await ann.ask('DELETE', `/api/resources${alias}/secret.txt`)).statusCode, alias).toBe(403)
      expect((await ann.ask('POST', `/api/share${alias}`, { payload: '{}' })).statusCode, alias).toBe(403)
    }
    const copied = await ann.ask('PATCH', '/api/resources/to-pub?action=copy&destination=/taken')
    expect(copied.statusCode).toBe(403)
    const moved = await ann.ask('PATCH', '/api/resources/pub/open.txt?action=rename&destination=/to-denied/open.txt')
    expect(moved.statusCode).toBe(403)
    expect((await ann.ask('GET', '/api/resources/')).body).not.toContain('to-denied')
    expect((await ann.ask('GET', '/api/raw/?algo=tar')).body).not.toContain('hidden text')
    expect(await readFile(join(server.root, 'pub/deny/secret.txt'), 'utf8')).toBe('hidden text')
  })

  it('hide dotfiles from users who hide them', async () => {
    await using server = await testApp({ files: { '.hidden': 'h', 'a.txt': 'a' } })
    const ann = await server.user('ann', { download: true, create: true }, { hideDotfiles: true })
    expect((await ann.ask('GET', '/api/raw/.hidden')).statusCode).toBe(403)
    expect((await ann.ask('POST', '/api/resources/.new')).statusCode).toBe(403)
    expect((await ann.ask('GET', '/api/resources/')).json<Listing>().items.map(({ name }) => name)).toEqual(['a.txt'])
  })
})

describe('the scope', () => {
  it('is all that a user sees', async () => {
    await using server = await testApp({ files: { 'home/a.txt': 'mine', 'other.txt': 'not mine' } })
    const ann = await server.user('ann', { download: true }, { scope: '/home' })
    expect((await ann.ask('GET', '/api/resources/')).json<Listing>().items.map(({ path }) => path)).toEqual(['/a.txt'])
    expect((await ann.ask('GET', '/api/raw/other.txt')).statusCode).toBe(404)
  })

  it('CVE-2026-54094: is not left through a link', async () => {
    await using server = await testApp({ files: { 'home/a.txt': 'a', 'outside/secret.txt': 'hidden text' } })
    const home = join(server.root, 'home')
    await symlink('../outside/secret.txt', join(home, 'file-link'))
    await symlink('../outside', join(home, 'folder-link'))
    await symlink('../outside/none', join(home, 'dangling-link'))
    const ann = await server.user('ann', { download: true, create: true, modify: true }, { scope: '/home' })
    for (const path of ['file-link', 'folder-link/secret.txt', 'dangling-link']) {
      for (const url of [`/api/resources/${path}`, `/api/raw/${path}`]) {
        expect((await ann.ask('GET', url)).statusCode, url).toBe(403)
      }
      const written = await ann.ask('POST', `/api/resources/${path}?override=true`, { payload: 'taken over' })
      expect(written.statusCode, path).toBe(403)
    }
    expect(await readdir(join(server.root, 'outside'))).toEqual(['secret.txt'])
    expect(await readFile(join(server.root, 'outside/secret.txt'), 'utf8')).toBe('hidden text')
    expect((await ann.ask('GET', '/api/resources/')).body).not.toContain('-link')
  })

  it('never reaches the data folder, even if links may leave the scope', async () => {
    await using server = await testApp({ store: 'json', options: { followExternalSymlinks: true } })
    const { dataFolder } = server.context
    await symlink(dataFolder, join(server.root, 'innocent'))
    await symlink(join(dataFolder, 'store.json'), join(server.root, 'innocent.json'))
    const admin = await server.admin()
    for (const url of [
      '/api/raw/innocent.json',
      '/api/raw/innocent/store.json',
      '/api/resources/innocent/',
      '/api/raw/innocent?algo=zip',
    ])
      expect((await admin.ask('GET', url)).statusCode, url).toBe(403)
    const upload = await admin.ask('POST', '/api/resources/innocent/store.json?override=true', { payload: '{}' })
    expect(upload.statusCode).toBe(403)
    expect((await admin.ask('GET', '/api/resources/')).json<Listing>().items).toEqual([])
    expect((await admin.ask('GET', '/api/raw/?algo=tar')).body).not.toContain('passwordHash')
  })

  it('is answered with 503, as are health and readiness, when the served folder is missing', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const admin = await server.admin()
    await rename(server.root, `${server.root}.away`)
    const json = { headers: { accept: 'application/json' } }
    expect((await server.ask('GET', '/health/live')).statusCode).toBe(200)
    const probes = [await server.ask('GET', '/health', json), await server.ask('GET', '/health/ready', json)]
    const answers = [...probes, await admin.ask('GET', '/api/resources/', json)]
    await rename(`${server.root}.away`, server.root)
    for (const { statusCode, body } of answers) {
      expect(statusCode, body).toBe(503)
      expect(body).toContain('the served folder does not exist')
    }
    expect((await server.ask('GET', '/health')).statusCode).toBe(200)
    expect((await server.ask('GET', '/health/ready')).json()).toEqual({ status: 'OK' })
    expect((await admin.ask('GET', '/api/raw/a.txt')).body).toBe('a')
  })

  it('that is missing is answered with 404', async () => {
    await using server = await testApp({ files: { 'gone/': '' } })
    const ann = await server.user('ann', {}, { scope: '/gone' })
    await rm(join(server.root, 'gone'), { recursive: true })
    expect((await ann.ask('GET', '/api/resources/')).statusCode).toBe(404)
  })
})
