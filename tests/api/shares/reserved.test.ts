import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { ShareHash, UserId } from '../../../src/domain/ids.ts'
import { serveShared, shareOf } from '../../helpers/api/shared.ts'
import { movableClock } from '../../helpers/movable-clock.ts'
import { type Client, PASSWORD, type TestApp } from '../../helpers/api/test-app.ts'

const DAY = 24 * 60 * 60 * 1000
const SLUG = 'summer-2026'

async function world() {
  const clock = movableClock(Date.now())
  const { server, ann } = await serveShared({ clock }, { delete: true })
  const eve = await server.user('eve', { share: true, download: true })
  const take = async (client: Client, path = '/docs2') =>
    (await client.ask('POST', `/api/share${path}`, { payload: JSON.stringify({ slug: SLUG }) })).statusCode
  return { clock, server, ann, eve, take }
}

describe('the address of a link that its owner removed', () => {
  it('is refused to a stranger, and free for its owner', async () => {
    const { server, ann, eve, take } = await world()
    await using _server = server
    await shareOf(ann, '/docs', { slug: SLUG })
    await ann.ask('DELETE', `/api/share/${SLUG}`)
    const refused = await eve.ask('POST', '/api/share/docs2', { payload: JSON.stringify({ slug: SLUG }) })
    expect(refused.statusCode).toBe(409)
    expect(await take(ann)).toBe(200)
  })

  it('is free for everyone after 90 days', async () => {
    const { clock, server, ann, take } = await world()
    await using _server = server
    await shareOf(ann, '/docs', { slug: SLUG })
    await ann.ask('DELETE', `/api/share/${SLUG}`)
    clock.move(90 * DAY - 1000)
    // The sessions have expired.
    const fay = await server.user('fay', { share: true, download: true })
    expect(await take(fay)).toBe(409)
    clock.move(2000)
    expect(await take(fay)).toBe(200)
  })
})

describe('the address of a link whose owner was deleted', () => {
  it('is refused to everyone but administrators', async () => {
    const { server, ann, eve, take } = await world()
    await using _server = server
    const admin = await server.admin()
    const { userID } = await shareOf(ann, '/docs', { slug: SLUG })
    const payload = JSON.stringify({ current_password: PASSWORD })
    expect((await admin.ask('DELETE', `/api/users/${userID}`, { payload })).statusCode).toBe(200)
    expect(await take(eve)).toBe(409)
    expect(await take(admin)).toBe(200)
  })
})

describe('the address of a link whose file was deleted', () => {
  it('is refused to a stranger and free for an administrator', async () => {
    const { server, ann, eve, take } = await world()
    await using _server = server
    await shareOf(ann, '/docs', { slug: SLUG })
    expect((await ann.ask('DELETE', '/api/resources/docs')).statusCode).toBeLessThan(300)
    await expect.poll(async () => (await ann.ask('GET', '/api/shares')).json<unknown[]>()).toEqual([])
    expect(await take(eve)).toBe(409)
    expect(await take(await server.admin())).toBe(200)
  })
})

it.each<[string, (server: TestApp, ann: Client) => Promise<unknown>]>([
  [
    'expired and was pruned',
    async (server) => {
      const { shares } = server.context.services
      await shares.update(OPERATOR, SLUG, { expire: 1 })
      await shares.prune(0)
    },
  ],
  [
    'is not in a restored backup',
    async (server) => {
      const { backups, shares } = server.context.services
      await shares.remove(OPERATOR, SLUG)
      await server.context.store.update((draft) => void (draft.reservedSlugs = []))
      const backup = await Array.fromAsync(await backups.create(OPERATOR))
      await server.context.store.update((draft, now) => {
        draft.reservedSlugs = [
          { slug: SLUG as ShareHash, userID: now.users[1]?.id ?? (0 as UserId), until: 4_000_000_000 },
        ]
      })
      await backups.restore(
        OPERATOR,
        (async function* () {
          yield* backup
        })(),
      )
    },
  ],
])('the address of a link that %s is refused to a stranger', async (_, end) => {
  const { server, ann } = await world()
  await using _server = server
  await shareOf(ann, '/docs', { slug: SLUG })
  await end(server, ann)
  const fay = await server.user('fay', { share: true, download: true })
  const again = await fay.ask('POST', '/api/share/docs2', { payload: JSON.stringify({ slug: SLUG }) })
  expect([again.statusCode, again.body]).toEqual([
    409,
    expect.stringContaining('used by another link lately') as string,
  ])
})

it('a random address cannot be chosen, so its visitors cannot take it over, and none is reserved', async () => {
  const { server, ann, eve } = await world()
  await using _server = server
  const { hash } = await shareOf(ann, '/docs')
  await ann.ask('DELETE', `/api/share/${hash}`)
  expect(server.context.store.snapshot().reservedSlugs).toEqual([])
  const answer = await eve.ask('POST', '/api/share/docs2', { payload: JSON.stringify({ slug: hash }) })
  expect(answer.statusCode).toBe(400)
})
