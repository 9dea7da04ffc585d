import { expect, it } from 'vitest'
import type { MadeApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { Job } from '../../../src/domain/automation/job.ts'
import type { Notice } from '../../../src/domain/automation/notice.ts'
import { begin, openWorld, upload, useOf } from '../../helpers/api/quota-world.ts'
import { receiving } from '../../helpers/api/receiving.ts'
import { send } from '../../helpers/api/send-files.ts'
import { detailsOf, download, shareOf } from '../../helpers/api/shared.ts'
import { type Client, PASSWORD } from '../../helpers/api/test-app.ts'
import { movableClock } from '../../helpers/movable-clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const noticesOf = async (client: Pick<Client, 'ask'>) => (await client.ask('GET', '/api/notices')).json<Notice[]>()
const newOnes = async (client: Client) => (await noticesOf(client)).filter(({ isNew }) => isNew).map(({ kind }) => kind)
const see = async (client: Client) => {
  const until = (await noticesOf(client)).reduce((latest, { at }) => Math.max(latest, at), 0)
  const payload = JSON.stringify({ until })
  expect((await client.ask('PUT', '/api/notices/seen', { payload })).statusCode).toBe(204)
}

it('tells owners what arrived by their links, until they have marked it as read on any device, or looked at it', async () => {
  const clock = movableClock(Date.now())
  await using world = await receiving({}, { clock })
  const { server, link, ann } = world
  const phone = await server.login('ann')
  await send(server, link, 'x', 'one', { from: 'Bob' })
  clock.move(MINUTE)
  await send(server, link, 'y', 'two', { from: 'Eve' })
  expect(await noticesOf(phone)).toMatchObject([
    { kind: 'arrivals', isNew: true, hash: link.hash, path: '/docs', files: 2, name: 'y' },
  ])
  await see(ann)
  expect(await newOnes(phone)).toEqual([])
  expect((await detailsOf(ann, link)).unseenFiles).toBe(0)
  clock.move(MINUTE)
  await send(server, link, 'z', 'three')
  expect(await newOnes(phone)).toEqual(['arrivals'])
  const payload = JSON.stringify({ until: Math.floor(clock.now() / 1000) })
  expect((await ann.ask('PUT', `/api/shares/${link.hash}/seen`, { payload })).statusCode).toBe(204)
  expect(await newOnes(phone)).toEqual([])
  clock.move(8 * DAY)
  expect(await noticesOf(await server.login('ann'))).toEqual([])

  // Another user learns nothing of them, and nobody without an account does.
  const bob = await server.user('bob', { share: true, download: true })
  expect(await noticesOf(bob)).toEqual([])
  expect((await server.ask('GET', '/api/notices')).statusCode).toBe(401)
})

it('tells owners of links that are about to expire, and of those that are used up', async () => {
  const clock = movableClock(Date.now())
  await using world = await receiving({ maxFiles: 1 }, { clock })
  const { server, link, ann } = world
  const later = await shareOf(ann, '/docs', { expires: '30', unit: 'days' })
  const limited = await shareOf(ann, '/secret.txt', { terms: { maxDownloads: 1 } })
  await shareOf(ann, '/docs', { expires: '1', unit: 'hours' })
  expect(await noticesOf(ann)).toEqual([])
  expect((await download(server, limited)).statusCode).toBe(200)
  clock.move(MINUTE)
  await send(server, link, 'x', 'one')
  const kinds = (await noticesOf(ann)).map(({ kind, ...rest }) => [kind, 'hash' in rest && rest.hash])
  expect(kinds).toEqual([
    ['arrivals', link.hash],
    ['usedUp', link.hash],
    ['usedUp', limited.hash],
  ])
  clock.move(28 * DAY)
  const again = await server.login('ann')
  expect(await noticesOf(again)).toContainEqual(
    expect.objectContaining({ kind: 'expiring', isNew: true, hash: later.hash, expire: later.expire }),
  )
  clock.move(3 * DAY)
  expect((await noticesOf(await server.login('ann'))).map(({ kind }) => kind)).not.toContain('expiring')
})

it('tells of jobs that failed for a day, with the reason, only their user, and only tokens that reach the path', async () => {
  const clock = movableClock(Date.now())
  const files = { 'docs/dir/a': 'a', 'docs/to/dir': 'a file' }
  await using world = await receiving({}, { clock, files, options: { tokenExpirationTime: '100h' } })
  const { server } = world
  const bob = await server.user('bob', { create: true, rename: true, modify: true, download: true })
  const url = '/api/resources/docs/dir?action=copy&override=true&destination=%2Fdocs%2Fto%2Fdir'
  expect((await bob.ask('PATCH', url)).statusCode).toBe(409)
  expect(await noticesOf(bob)).toMatchObject([
    { kind: 'job', isNew: true, job: { state: 'failed', path: '/docs/dir', error: { code: 'CONFLICT' } } },
  ])
  expect(await noticesOf(await server.admin())).toEqual([])
  // A short one is its own notice.
  expect((await bob.ask('PATCH', url.replace('to%2Fdir', 'copy'))).statusCode).toBe(200)
  expect((await bob.ask('GET', '/api/jobs')).json<Job[]>()).toHaveLength(2)
  expect(await newOnes(bob)).toEqual(['job'])

  const tokenFor = async (path: string) => {
    const payload = JSON.stringify({ name: path, path, current_password: PASSWORD })
    const { token } = (await bob.ask('POST', '/api/tokens', { payload })).json<MadeApiToken>()
    const headers = { authorization: `Bearer ${token}` }
    const ask: Client['ask'] = async (method, address) => await server.ask(method, address, { headers })
    return { ask }
  }
  expect(await noticesOf(await tokenFor('/docs'))).toHaveLength(1)
  expect(await noticesOf(await tokenFor('/elsewhere'))).toEqual([])

  await see(bob)
  expect(await newOnes(bob)).toEqual([])
  clock.move(23 * HOUR)
  expect(await noticesOf(bob)).toHaveLength(1)
  expect((await bob.ask('GET', '/api/jobs')).json()).toHaveLength(1)
  clock.move(2 * HOUR)
  expect(await noticesOf(bob)).toEqual([])
})

it('tells users when their quota is nearly full, and again when it is full', async () => {
  await using world = await openWorld({ quota: 1000 })
  const { ann } = world
  await upload(ann, 'a', 800)
  await useOf(ann)
  expect(await noticesOf(ann)).toEqual([])
  await upload(ann, 'b', 120)
  expect(await noticesOf(ann)).toMatchObject([
    { kind: 'quota', isNew: true, quota: { used: { bytes: 920 }, limit: { bytes: 1000 } } },
  ])
  await see(ann)
  expect(await noticesOf(ann)).toMatchObject([{ kind: 'quota', isNew: false }])
  expect((await begin(ann, 'c', 80)).statusCode).toBe(201)
  expect(await newOnes(ann)).toEqual(['quota'])
})
