import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Listing } from '../../src/domain/resource.ts'
import { openLocalStorage } from '../../src/storage/local-storage.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { testApp } from '../helpers/test-app.ts'

describe('rules and hidden files', () => {
  const deny = (path: string) => ({ rules: [{ regex: false, allow: false, path, regexp: null }] })

  it('are checked before it is told whether something is there', async () => {
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

  it('CVE-2026-35605: end at the name, so that a longer one is free', async () => {
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

  it('CVE-2026-25890: hold in any case and any form of Unicode where the disk tells none of them apart', async () => {
    await using folder = await tempFolder({ 'SECRET/a.txt': 'hidden text', 'open/a.txt': 'a' })
    const disk = await openLocalStorage(folder.path)
    const storage: Storage = {
      openScope: async (...args) => await disk.openScope(...args),
      makeScope: async (...args) => await disk.makeScope(...args),
      foldsCase: async () => await Promise.resolve(true),
      [Symbol.asyncDispose]: async () => await disk[Symbol.asyncDispose](),
    }
    await using server = await testApp({ storage })
    const ann = await server.user('ann', { download: true, delete: true }, deny('/secret'))
    for (const url of ['/api/resources/SECRET', '/api/raw/SECRET/a.txt', '/api/raw/%C5%BFECRET/a.txt']) {
      expect((await ann.ask('GET', url)).statusCode, url).toBe(403)
    }
    expect((await ann.ask('GET', '/api/resources/')).body).not.toContain('SECRET')
    expect((await ann.ask('GET', '/api/search/?query=a.txt')).body).not.toContain('SECRET')
    expect((await ann.ask('GET', '/api/resources/recursive/')).body).not.toContain('SECRET')
    expect((await ann.ask('GET', '/api/raw/?algo=tar')).body).not.toContain('hidden text')
  })

  it('hide dotfiles from those who want it so', async () => {
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

  it('that is missing is told as 404', async () => {
    await using server = await testApp({ files: { 'gone/': '' } })
    const ann = await server.user('ann', {}, { scope: '/gone' })
    await rm(join(server.root, 'gone'), { recursive: true })
    expect((await ann.ask('GET', '/api/resources/')).statusCode).toBe(404)
  })
})
