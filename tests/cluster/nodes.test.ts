import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { STORE_FORMAT, StoreDocument } from '../../src/store/document.ts'
import { addShare, addUser, countUp, sampleDocument } from '../contract/store/samples.ts'
import { eventually } from '../helpers/patience.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

function recorded() {
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  return { lines, log: { info: note, warn: note, error: note } }
}

describe('several machines with one database', () => {
  it('see what another one adds, changes and removes', async () => {
    const url = await created()
    const [one, other] = [await node(url), await node(url)]
    await one.store.update(addUser)
    await one.store.update(addShare)
    await one.store.update(countUp)
    await eventually(() => expect(other.store.snapshot()).toEqual(one.store.snapshot()))
    await other.store.update((draft) => draft.users.splice(0, 1))
    await eventually(() => expect(one.store.snapshot().users.map(({ id }) => id)).toEqual([2]))
  })

  it('keep the records that another one did not change as they are', async () => {
    const url = await created()
    const [one, other] = [await node(url), await node(url)]
    const [before] = other.store.snapshot().users
    await one.store.update(addUser)
    await eventually(() => expect(other.store.snapshot().users).toHaveLength(2))
    expect(other.store.snapshot().users[0]).toBe(before)
  })

  it('lose no change of 20 writers to one list of users', async () => {
    const url = await created()
    const nodes = await Promise.all(Array.from({ length: 4 }, async () => await node(url)))
    const writers = Array.from({ length: 20 }, async (_, number) => {
      const ids: number[] = []
      for (let round = 0; round < 5; round++) ids.push((await nodes[number % 4]?.store.update(addUser)) ?? 0)
      return ids
    })
    const ids = (await Promise.all(writers)).flat().toSorted((a, b) => a - b)
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 2))
    const fresh = await node(url)
    expect(fresh.store.snapshot().users.map(({ id }) => id)).toEqual([1, ...ids])
  })

  it('give a username to one user only, and let two users exchange theirs', async () => {
    const url = await created()
    const { store } = await node(url)
    await store.update(addUser)
    await store.update(({ users: [one, two] }) => {
      if (one && two) [one.username, two.username] = [two.username, one.username]
    })
    expect((await node(url)).store.snapshot().users.map(({ username }) => username)).toEqual(['user2', 'admin'])
    const second = postgres().query(
      url,
      'INSERT INTO filemgr_users (id, data, revision) SELECT 9, data, 9 FROM filemgr_users LIMIT 1',
    )
    await expect(second).rejects.toThrow(/unique/)
  })

  it('keep the order of users and links, regardless of who changes them', async () => {
    const url = await created()
    const { store } = await node(url)
    for (let count = 0; count < 3; count++) await store.update(addShare)
    await store.update(({ shares: [first] }) => first && (first.openings = 7))
    expect((await node(url)).store.snapshot().shares.map(({ hash }) => hash)).toEqual(['share1', 'share2', 'share3'])
  })

  it('learn of changes whose notification was lost with the connection', async () => {
    const url = await created()
    const [one, other] = [await node(url), await node(url)]
    await postgres().query(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'filemgr'",
    )
    await eventually(async () => await one.store.update(addUser))
    await eventually(() => expect(other.store.snapshot().users.length).toBe(one.store.snapshot().users.length))
  })

  it('load everything again if the record of removals was deleted in the meantime', async () => {
    const url = await created()
    const { store } = await node(url, { follows: false })
    const other = await node(url)
    await other.store.update(addUser)
    await other.store.update((draft) => draft.users.splice(0, 1))
    await postgres().query(url, 'DELETE FROM filemgr_removed; UPDATE filemgr_state SET trimmed = revision')
    const before = other.store.snapshot().settings.tus.chunkSize
    expect(await store.update(countUp)).toBe(before + 1)
    expect(store.snapshot().users.map(({ id }) => id)).toEqual([2])
  })

  it('refuse text that the database cannot store', async () => {
    const { store } = await node(await created())
    const change = store.update((draft) => (draft.settings.branding.name = 'a\0b'))
    await expect(change).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(store.update(addUser)).resolves.toBe(2)
  })
})

describe('while the database is unreachable,', () => {
  it('changes and refreshes are refused, and afterwards the store works again without a restart', async () => {
    const { lines, log } = recorded()
    const url = await created()
    const { store } = await node(url, { log })
    const before = store.snapshot()
    await store.refresh?.()
    await postgres().stop()
    await eventually(async () => await expect(store.refresh?.()).rejects.toMatchObject({ code: 'STORE_BUSY' }))
    const refused = { code: 'STORE_BUSY', details: { retryAfter: expect.any(Number) as number } }
    await expect(store.update(addUser)).rejects.toMatchObject(refused)
    expect(store.snapshot()).toBe(before)
    await postgres().start()
    await eventually(async () => await store.refresh?.())
    await expect(store.update(addUser)).resolves.toBe(2)
    expect(lines.at(-1)).toBe('The database is in use again.')
    expect(lines.join()).not.toContain(url)
  })
})

describe('machines of two versions', () => {
  /** A newer version of the format. */
  const next = {
    ...STORE_FORMAT,
    schema: Type.Object({ ...StoreDocument.properties, version: Type.Literal(2) }),
    version: 2,
    migrations: { 1: (document: Record<string, unknown>) => ({ ...document, nextUserId: 100 }) },
  } as unknown as typeof STORE_FORMAT

  it('migrate once, and then the older one refuses changes with a clear error', async () => {
    const { lines, log } = recorded()
    const url = await created()
    const old = await node(url, { log })
    await old.store.update(addShare)
    await old.store.update((draft) => (draft.shares = []))
    const upgraded = await Promise.all([node(url, { format: next }), node(url, { format: next })])
    for (const { store } of upgraded)
      expect(store.snapshot()).toMatchObject({ version: 2, nextUserId: 100, shares: [] })
    await expect(old.store.update(addUser)).rejects.toMatchObject({
      code: 'STORE_INVALID',
      details: { reason: 'newer' },
    })
    await eventually(async () => await expect(old.store.refresh?.()).rejects.toMatchObject({ code: 'STORE_BUSY' }))
    expect(lines.join()).toContain('cannot read it. Install')
    await expect(node(url)).rejects.toMatchObject({ code: 'STORE_INVALID', details: { reason: 'newer' } })
  })

  const later = {
    ...STORE_FORMAT,
    program: () => '99.0.0',
    schema: Type.Object({
      ...StoreDocument.properties,
      users: Type.Array(
        Type.Object({ ...StoreDocument.properties.users.items.properties, shoeSize: Type.Integer({ default: 40 }) }),
      ),
    }),
  } as unknown as typeof STORE_FORMAT

  it('work together until the newer one writes, and then the older one logs the version it needs', async () => {
    const { lines, log } = recorded()
    const url = await created()
    const [old, upgraded] = [await node(url, { log }), await node(url, { format: later })]
    await old.store.update(addUser)
    await eventually(() => expect(upgraded.store.snapshot().users).toMatchObject([{}, { shoeSize: 40 }]))
    await upgraded.store.update(({ users: [first] }) => first && (first.username = 'eve'))
    await eventually(() => expect(lines.join()).toContain('was written by filemgr 99.0.0'))
    await expect(old.store.update(addUser)).rejects.toMatchObject({ details: { reason: 'newer' } })
  })

  it('refuse rows that they do not understand, and name them', async () => {
    const { lines, log } = recorded()
    const url = await created(sampleDocument())
    const { store } = await node(url, { log })
    const change = 'UPDATE filemgr_users SET data = data || \'{"shoeSize": 47}\', revision = revision + 1'
    await postgres().query(url, `${change}; UPDATE filemgr_state SET revision = revision + 1`)
    await eventually(() => expect(lines.join()).toContain('users/0/shoeSize'))
    await expect(store.update(addUser)).rejects.toMatchObject({ code: 'STORE_INVALID' })
  })
})
