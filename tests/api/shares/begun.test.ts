import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { LinkUploadView } from '../../../src/domain/uploads/upload.ts'
import { openRequest } from '../../helpers/api/open-request.ts'
import { contentOf, linkOf, receiving, type ReceivingWorld } from '../../helpers/api/receiving.ts'
import { announce, receiptOf, send, sendBytes } from '../../helpers/api/send-files.ts'
import { shareOf } from '../../helpers/api/shared.ts'

const MB = 1024 * 1024

describe('a file that a visitor has sent', () => {
  it('counts, even if the daemon was killed after it had put the file in place', async () => {
    await using world = await receiving({ maxFiles: 1 })
    const { server, link } = world
    const { services, clock } = server.context
    // As if the daemon was killed at this moment.
    vi.spyOn(services.arrivals, 'arrived').mockRejectedValueOnce(new Error('killed'))
    await expect(send(server, link, 'sent.txt', 'abc')).rejects.toThrow('500')
    expect(await contentOf(world, 'sent.txt')).toBe('abc')
    await services.unfinishedUploads.sweep()
    clock.move(3 * 60 * 60_000)
    await services.unfinishedUploads.sweep()
    expect(services.arrivals.list(OPERATOR, link.hash)).toMatchObject([{ path: '/docs/sent.txt' }])
    expect((await announce(server, link, 'b.txt', { length: 3 })).statusCode).not.toBe(201)
  })

  it('counts once the visitor asks what has arrived of it, even so', async () => {
    await using world = await receiving()
    const { server, link } = world
    const { services } = server.context
    vi.spyOn(services.arrivals, 'arrived').mockRejectedValueOnce(new Error('killed'))
    const address = String((await announce(server, link, 'sent.txt', { length: 3 })).headers.location)
    expect((await sendBytes(server, address, 'abc')).statusCode).toBe(500)
    expect(services.arrivals.list(OPERATOR, link.hash)).toEqual([])
    expect((await server.ask('HEAD', address)).headers).toMatchObject({ 'upload-offset': '3' })
    expect(services.arrivals.list(OPERATOR, link.hash)).toMatchObject([{ path: '/docs/sent.txt' }])
  })
})

describe('a file that a visitor has only begun to send', () => {
  const begunOf = async ({ ann, link }: ReceivingWorld) =>
    (await ann.ask('GET', `/api/shares/${link.hash}/uploads`)).json<LinkUploadView[]>()
  const PART = {
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
    'content-length': `${4 * MB}`,
  }

  it('is shown to the owner of the link, and not to others', async () => {
    await using world = await receiving({ asksName: true })
    const { server, ann, link } = world
    expect(await begunOf(world)).toEqual([])
    const begun = await announce(server, link, 'a.txt', { length: 6, from: 'Bob' })
    await sendBytes(server, String(begun.headers.location), 'abc')
    await send(server, link, 'done', 'x', { from: 'Eve' })
    await ann.ask('POST', '/api/tus/docs/own', { headers: { 'upload-length': '9' } })
    const shown = await begunOf(world)
    expect(shown).toMatchObject([{ name: 'a.txt', from: 'Bob', offset: 3, length: 6 }])
    const bob = await server.user('bob', { share: true, download: true })
    const path = `/api/shares/${link.hash}/uploads`
    expect((await bob.ask('GET', path)).statusCode).toBe(403)
    expect((await bob.ask('DELETE', `${path}/${shown[0]?.id}`)).statusCode).toBe(403)
    expect((await server.ask('GET', path)).statusCode).toBe(401)
    const other = await shareOf(ann, '/docs', { terms: { allows: 'upload' } })
    expect((await ann.ask('DELETE', `/api/shares/${other.hash}/uploads/${shown[0]?.id}`)).statusCode).toBe(404)
    expect(await begunOf(world)).toHaveLength(1)
    expect((await (await server.admin()).ask('GET', path)).json()).toEqual(shown)
  })

  it.each(['the owner of the link', 'an administrator'])(
    'is cancelled by %s while the visitor sends, and nothing of it stays',
    async (who) => {
      await using world = await receiving({ maxFiles: 1 })
      const { server, ann, link } = world
      await server.context.store.update((draft, { users }) => {
        draft.users = users.map((user) => ({ ...user, quota: 12 * MB }))
      })
      const address = String((await announce(server, link, 'x', { length: 4 * MB })).headers.location)
      using running = await openRequest(server.app, ann, 'PATCH', address, { body: 'x'.repeat(2 * MB), headers: PART })
      await expect.poll(async () => (await begunOf(world))[0]?.offset).toBeGreaterThan(0)
      const [{ id } = { id: '' }] = await begunOf(world)
      expect(address).toContain(id)
      const { unfinishedUploads } = server.context.services
      if (who === 'an administrator') await unfinishedUploads.remove(OPERATOR, id)
      else expect((await ann.ask('DELETE', `/api/shares/${link.hash}/uploads/${id}`)).statusCode).toBe(204)
      expect((await running.answer).statusCode).toBe(409)
      expect((await server.ask('HEAD', address)).statusCode).toBe(404)
      expect((await sendBytes(server, address, 'more', 10)).statusCode).toBe(404)
      expect((await readdir(join(server.root, 'docs'))).toSorted()).toEqual(['.dot', 'a.txt', 'deny', 'sub'])
      expect(await begunOf(world)).toEqual([])
      expect(await unfinishedUploads.list(OPERATOR)).toEqual([])
      expect(await linkOf(world)).toMatchObject({ filesLeft: 1 })
      expect((await ann.ask('DELETE', `/api/shares/${link.hash}/uploads/${id}`)).statusCode).toBe(404)
      expect((await announce(server, link, 'x', { length: 5 * MB })).statusCode).toBe(201)
    },
  )

  it('is not shown once its bytes are lost', async () => {
    await using world = await receiving()
    await announce(world.server, world.link, 'a.txt', { length: 6 })
    const folder = join(world.server.root, 'docs')
    for (const name of await readdir(folder)) if (name.endsWith('.fm-tmp')) await rm(join(folder, name))
    expect(await begunOf(world)).toEqual([])
  })

  it('stays once it has arrived, and its address is in no log', async () => {
    await using world = await receiving()
    const { server, ann, link } = world
    const address = await send(server, link, 'x', 'one')
    const id = address.slice(-16)
    expect((await ann.ask('DELETE', `/api/shares/${link.hash}/uploads/${id}`)).statusCode).toBe(404)
    await expect(server.context.services.unfinishedUploads.remove(OPERATOR, id)).rejects.toThrow('finished')
    expect(await contentOf(world, 'x')).toBe('one')
    expect(await receiptOf(server, address)).toMatchObject({ size: 3 })
    const written = JSON.stringify([server.log, await server.context.services.audit.page(OPERATOR, {})])
    for (const secret of [link.hash, id]) expect(written).not.toContain(secret)
  })
})
