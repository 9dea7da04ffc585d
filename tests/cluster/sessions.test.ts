import { expect, it } from 'vitest'
import { session } from '../contract/store/session-sample.ts'
import { eventually } from '../helpers/patience.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

const [one, two] = [session('one'), session('two')]

async function pair() {
  const url = await created()
  return { url, here: (await node(url)).sessions, there: (await node(url)).sessions }
}

it('a session that begins or ends on one machine does so on all machines', async () => {
  const { here, there } = await pair()
  await here.change({ put: [one, two] })
  expect(here.get(one.family)).toEqual(one)
  await eventually(() => expect(there.all()).toEqual([one, two]))
  const changed: unknown[] = []
  here.onChange((changes) => changed.push(...changes))
  const removing = there.change({ remove: [one.family, 'nobody'] })
  expect(there.get(one.family)).toBeUndefined()
  await removing
  await eventually(() => expect(here.all()).toEqual([two]))
  expect(changed).toEqual([{ before: one, now: undefined }])
})

it('of two changes of a session at the same time one succeeds, and a removal always does', async () => {
  const { here, there } = await pair()
  await here.change({ put: [one] })
  await eventually(() => expect(there.get(one.family)).toEqual(one))
  const outcomes = await Promise.allSettled([
    here.change({ put: [{ ...one, lastSeenAt: 1 }] }),
    there.change({ put: [{ ...one, lastSeenAt: 2 }] }),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'STORE_BUSY' })
  await eventually(() => expect(here.get(one.family)).toEqual(there.get(one.family)))
  await Promise.allSettled([here.change({ put: [{ ...one, lastSeenAt: 3 }] }), there.change({ remove: [one.family] })])
  await eventually(() => expect([here.all(), there.all()]).toEqual([[], []]))
})

it('many changes of one session on one machine all succeed, in order', async () => {
  const { url, here } = await pair()
  const changes = Array.from(
    { length: 30 },
    async (_, lastSeenAt) => await here.change({ put: [{ ...one, lastSeenAt }] }),
  )
  await Promise.all(changes)
  expect(here.get(one.family)?.lastSeenAt).toBe(29)
  expect((await node(url)).sessions.get(one.family)?.lastSeenAt).toBe(29)
})

it('while the database is unreachable, no session changes, and afterwards sessions change again', async () => {
  const { here } = await pair()
  await here.change({ put: [one] })
  await postgres().stop()
  await expect(here.change({ put: [two] })).rejects.toMatchObject({ code: 'STORE_BUSY' })
  await expect(here.change({ remove: [one.family] })).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect(here.all()).toEqual([one])
  await postgres().start()
  await eventually(async () => await here.change({ remove: [one.family] }))
  expect(here.all()).toEqual([])
})

it('rows that are not sessions are ignored', async () => {
  const url = await created()
  await postgres().query(url, "INSERT INTO filemgr_sessions (id, data, revision) VALUES ('x', '{}', 1)")
  expect((await node(url)).sessions.all()).toEqual([])
})
