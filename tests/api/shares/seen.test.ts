import { expect, it } from 'vitest'
import type { ArrivalView } from '../../../src/domain/shares/share-terms.ts'
import { receiving } from '../../helpers/api/receiving.ts'
import { send } from '../../helpers/api/send-files.ts'
import { detailsOf } from '../../helpers/api/shared.ts'
import { movableClock } from '../../helpers/movable-clock.ts'

const MINUTE = 60_000

it('a file of a visitor counts as new until the owner has looked, on all devices, unless it was withdrawn', async () => {
  const clock = movableClock(Date.now())
  await using world = await receiving({}, { clock })
  const { server, link, ann } = world
  const unseen = async () => (await detailsOf(ann, link)).unseenFiles
  const see = async (client: typeof ann, until: number) =>
    (await client.ask('PUT', `/api/shares/${link.hash}/seen`, { payload: JSON.stringify({ until }) })).statusCode
  await send(server, link, 'x', 'one')
  clock.move(MINUTE)
  const second = await send(server, link, 'y', 'two')
  expect(await unseen()).toBe(2)
  const [newest, oldest] = (await ann.ask('GET', `/api/shares/${link.hash}/arrivals`)).json<ArrivalView[]>()
  expect(await see(ann, oldest?.arrived ?? 0)).toBe(204)
  expect(await unseen()).toBe(1)
  // A device that has the older list changes nothing.
  expect(await see(ann, 0)).toBe(204)
  expect(await unseen()).toBe(1)
  clock.move(MINUTE)
  await send(server, link, 'z', 'three')
  expect((await server.ask('DELETE', second)).statusCode).toBe(204)
  expect(await unseen()).toBe(1)
  expect(await see(ann, (newest?.arrived ?? 0) + 3600)).toBe(204)
  expect(await unseen()).toBe(0)

  const bob = await server.user('bob', { share: true, download: true })
  expect(await see(bob, 1)).toBe(403)
})
