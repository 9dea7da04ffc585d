import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  denyAll,
  download,
  MAY_SHARE,
  serveShared,
  SHARED_FILES,
  shareOf,
  statuses,
  visit,
  withPassword,
} from '../../helpers/api/shared.ts'
import { announce } from '../../helpers/api/send-files.ts'
import { testApp } from '../../helpers/api/test-app.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

describe('what a link leads to', () => {
  it('is nothing if it does not say which file it was made for', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const link = await shareOf(ann, '/docs')
    expect((await visit(server, link)).statusCode).toBe(200)
    await server.context.store.update((draft, { shares }) => {
      draft.shares = shares.map(({ target: _, ...share }) => share)
    })
    expect((await visit(server, link)).statusCode).toBe(404)
  })

  it('takes no file under a name that its owner does not see', async () => {
    const { server, ann } = await serveShared({}, { create: true })
    await using _server = server
    const link = await shareOf(ann, '/docs', { terms: { allows: 'upload' } })
    await server.context.store.update((draft, { users }) => {
      draft.users = users.map((user) => ({ ...user, hideDotfiles: true }))
    })
    expect((await announce(server, link, '.hidden', { length: 1 })).statusCode).toBe(403)
    expect((await announce(server, link, 'shown', { length: 1 })).statusCode).toBe(201)
  })

  it('CVE-2026-28492: a path in a link does not leave it, however it is written', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs')
    for (const path of [
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      'sub/..%2f..%2fsecret.txt',
      '/../secret.txt',
    ]) {
      for (const call of ['share', 'dl']) {
        const answer = await server.askExactly('GET', `/api/public/${call}/${hash}/${path}`)
        expect([301, 404], path).toContain(answer.statusCode)
        expect(answer.body).not.toContain('secret')
      }
    }
    for (const path of ['..%252fsecret.txt', '%5c..%5csecret.txt', 'sub%00/b.txt']) {
      const { statusCode } = await server.askExactly('GET', `/api/public/dl/${hash}/${path}`)
      expect([400, 404], path).toContain(statusCode)
    }
  })

  it('CVE-2025-58753: a link to one file opens no file beside it', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs/a.txt')
    for (const rest of ['/.dot', '/sub/b.txt', '/sub', '?files=.dot&algo=tar']) {
      expect((await download(server, share, rest)).body, rest).toBe('alpha')
      expect((await visit(server, share, rest)).json(), rest).toMatchObject({ name: 'a.txt', path: '' })
    }
  })

  it('CVE-2026-54091: rules apply to the path of the owner, not to that in the link', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    await denyAll(server, '/docs/deny')
    expect(await statuses(server, share, '/deny/no.txt')).toEqual([403, 403])
    expect((await visit(server, share)).json<{ items: { name: string }[] }>().items.map(({ name }) => name)).toEqual([
      'sub',
      '.dot',
      'a.txt',
    ])
    expect((await download(server, share, '?algo=tar')).body).not.toContain('denied')
    expect((await download(server, share, '?algo=tar&files=deny,a.txt')).body).not.toContain('denied')
    await denyAll(server, '/deny')
    expect(await statuses(server, share, '/deny/no.txt')).toEqual([200, 200])
    await denyAll(server, '/docs')
    expect(await statuses(server, share)).toEqual([403, 403])
  })

  it('a folder that its owner may not see is closed, even if a rule allows files in it', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    await server.context.store.update((draft) => {
      const rule = (allow: boolean, path: string) => ({ regex: false, allow, path, regexp: null })
      for (const user of draft.users) user.rules = [rule(false, '/docs'), rule(true, '/docs/a.txt')]
    })
    expect(await statuses(server, share, '/a.txt')).toEqual([403, 403])
  })

  it('files that the owner hides are hidden from visitors', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    await server.context.store.update((draft) => {
      for (const user of draft.users) user.hideDotfiles = true
    })
    expect(await statuses(server, share, '/.dot')).toEqual([403, 403])
    expect((await visit(server, share)).body).not.toContain('.dot')
    expect((await download(server, share, '?algo=tar')).body).not.toContain('.dot')
  })

  it.each([false, true])(
    'CVE-2026-54094: no symbolic link leads out of what is shared (links may leave the scope: %s)',
    async (followExternalSymlinks) => {
      const { server, ann } = await serveShared({ options: { followExternalSymlinks } })
      await using _server = server
      await using outside = await tempFolder({ 'far.txt': 'far away' })
      const at = (name: string) => join(server.root, 'docs', name)
      await symlink('../secret.txt', at('near.txt'))
      await symlink(outside.at('far.txt'), at('far.txt'))
      await symlink('..', at('up'))
      await symlink('a.txt', at('inside.txt'))
      const share = await shareOf(ann, '/docs')
      for (const rest of ['/near.txt', '/far.txt', '/up/secret.txt', '/up/docs2/c.txt']) {
        expect(await statuses(server, share, rest), rest).toEqual([403, 403])
      }
      expect(await statuses(server, share, '/inside.txt')).toEqual([200, 200])
      const { body } = await visit(server, share)
      for (const name of ['near.txt', 'far.txt', '"up"']) expect(body).not.toContain(name)
      const archive = (await download(server, share, '?algo=tar')).body
      for (const content of ['secret', 'far away', 'gamma']) expect(archive).not.toContain(content)
    },
  )

  it('CVE-2026-54094: a link out of the scope cannot be shared', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    await using outside = await tempFolder({ 'far.txt': 'far away' })
    await symlink(outside.at('far.txt'), join(server.root, 'far.txt'))
    await symlink('loop', join(server.root, 'loop'))
    for (const name of ['far.txt', 'loop']) {
      expect((await ann.ask('POST', `/api/share/${name}`, { payload: '{}' })).statusCode, name).toBe(403)
    }
  })

  it('GHSA-3q2p-72cj-682c: neither missing nor denied files can be shared', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const create = async (path: string) => (await ann.ask('POST', `/api/share${path}`, { payload: '{}' })).statusCode
    expect(await create('/nothing')).toBe(404)
    await denyAll(server, '/docs')
    expect([await create('/docs'), await create('/docs/a.txt'), await create('/docs2')]).toEqual([403, 403, 200])
    await server.context.store.update((draft) => {
      for (const user of draft.users) user.hideDotfiles = true
    })
    await writeFile(join(server.root, '.hidden'), '')
    expect(await create('/.hidden')).toBe(403)
  })

  it('CVE-2026-61874: DELETE of "/docs/" removes its link, and what appears there later is not shared', async () => {
    const { server } = await serveShared()
    await using _server = server
    const bob = await server.user('bob', { ...MAY_SHARE, delete: true, create: true })
    const share = await shareOf(bob, '/docs')
    expect((await bob.ask('DELETE', '/api/resources/docs/')).statusCode).toBe(204)
    await bob.ask('POST', '/api/resources/docs/new.txt', { payload: 'new secret' })
    expect(await statuses(server, share, '/new.txt')).toEqual([404, 404])
    expect((await bob.ask('GET', '/api/shares')).json()).toEqual([])
  })

  it('CVE-2026-54097: deleting "/docs" removes no link to "/docs2", nor to the "/docs" of another scope', async () => {
    await using server = await testApp({ files: { ...SHARED_FILES, 'home/docs/own.txt': 'own' } })
    const ann = await server.user('ann', { ...MAY_SHARE, delete: true })
    const bob = await server.user('bob', MAY_SHARE, { scope: '/home' })
    const [longer, foreign] = [await shareOf(ann, '/docs2'), await shareOf(bob, '/docs')]
    await shareOf(ann, '/docs')
    expect((await ann.ask('DELETE', '/api/resources/docs')).statusCode).toBe(204)
    const remaining = server.context.store.snapshot().shares.map(({ hash }) => hash)
    expect(remaining).toEqual([longer.hash, foreign.hash])
    expect(await statuses(server, foreign)).toEqual([200, 200])
  })

  it('CVE-2021-37794, GHSA-mmpx-jh39-wrv6: a picture with a script in it is shown in a sandbox', async () => {
    await using server = await testApp({ files: { 'docs/x.svg': '<svg><script>1</script></svg>', 'docs/x.js': '1' } })
    const ann = await server.user('ann', MAY_SHARE)
    const share = await shareOf(ann, '/docs')
    const picture = await download(server, share, '/x.svg?inline=true')
    expect(picture.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' })
    expect(picture.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
    expect((await download(server, share, '/x.js?inline=true')).headers['content-type']).toMatch(/^text\/plain/)
    expect((await download(server, share, '/x.svg')).headers['content-type']).toBe('application/octet-stream')
  })

  it('GHSA-833g-cqhp-h72j: no list and no answer about a link holds the hash of its password or its token', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const admin = await server.admin()
    const { hash } = await shareOf(ann, '/docs', { password: 'open' })
    const { token } = (await visit(server, { hash }, '', withPassword('open'))).json<{ token: string }>()
    for (const url of [
      '/api/shares',
      '/api/shares?details=true',
      '/api/share/docs',
      '/api/share/docs?details=true',
      `/api/shares/${hash}`,
    ]) {
      for (const client of [ann, admin]) {
        const { statusCode, body } = await client.ask('GET', url)
        expect([statusCode, body.includes(hash)], url).toEqual([200, true])
        expect(body).not.toMatch(/argon2|passwordHash|tokenHash|inode/)
        expect(body).not.toContain(token)
      }
    }
  })
})
