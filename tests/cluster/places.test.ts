import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createPostgres, openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { requireVersion } from '../../src/store/postgres/connection.ts'
import { copyStore } from '../../src/upkeep/copy-store.ts'
import { openStores } from '../../src/store/open-stores.ts'
import { silentLogger } from '../../src/platform/logging/logger.ts'
import { addShare, addUser, sampleDocument } from '../contract/store/samples.ts'
import { dataFolder } from '../contract/store/opened.ts'
import { temporaryFolder } from '../contract/store/folder.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

describe('a database that cannot be used is refused in one line', () => {
  const refusal = async (url: string) => {
    const error: unknown = await openPostgres({ url }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    const { code, message } = error as Error & { code: string }
    expect(message).not.toMatch(/\n|open-sesame|mistyped/)
    return `${code} ${message}`
  }

  it('if no server listens', async () => {
    expect(await refusal('postgres://filemgr:open-sesame@127.0.0.1:1/filemgr')).toBe(
      'STORE_BUSY postgres://filemgr@127.0.0.1:1/filemgr: PostgreSQL: the server is not reachable (ECONNREFUSED).',
    )
  })

  it('for an address of another kind of database', async () => {
    expect(await refusal('mysql://filemgr:open-sesame@db/filemgr')).toContain('INVALID_INPUT')
  })

  it('for a wrong password, an unknown user and an unknown database', async () => {
    const url = await created()
    expect(await refusal(postgres().as('guarded', url, 'mistyped'))).toContain('STORE_INVALID')
    expect(await refusal(postgres().as('nobody', url))).toContain('STORE_INVALID')
    expect(await refusal(`${url}none`)).toContain('there is no such database')
    await using stores = await openPostgres({ url: postgres().as('guarded', url, 'open-sesame') })
    expect(stores.store.snapshot().users).toHaveLength(1)
  })

  it('without a store, and without the right to create or use its tables', async () => {
    const url = await postgres().database()
    expect(await refusal(url)).toContain('NOT_FOUND')
    const creating = createPostgres(postgres().as('guest', url), { document: sampleDocument() })
    await expect(creating).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining('owner') as string,
    })
    await createPostgres(url, { document: sampleDocument() })
    expect(await refusal(postgres().as('guest', url))).toContain('may not use or create tables')
  })

  it('if it is read-only', async () => {
    const url = await created()
    await postgres().query(url, 'ALTER ROLE filemgr SET default_transaction_read_only = on')
    try {
      const { store } = await node(url)
      await expect(store.update(addUser)).rejects.toMatchObject({ code: 'STORE_INVALID' })
    } finally {
      await postgres().query(url, 'ALTER ROLE filemgr RESET ALL')
    }
  })

  it('if a table is missing, except for those that older versions did not have, which are created', async () => {
    const url = await created()
    const { store } = await node(url)
    await postgres().query(url, 'DROP TABLE filemgr_facts, filemgr_leases, filemgr_records')
    const { shared } = await node(url)
    expect(await shared?.leases.tryAcquire('a')).toBeDefined()
    await store.update(addUser)
    await postgres().query(url, 'DROP TABLE filemgr_shares')
    expect(await refusal(url)).toMatch(/STORE_INVALID .*: a table of filemgr is missing. Restore the database.$/)
  })

  it('if the server is older than version 13', () => {
    expect(() => requireVersion(120_019)).toThrow('PostgreSQL 12.19 is too old for filemgr. Use 13 or newer.')
    expect(() => requireVersion(130_000)).not.toThrow()
  })
})

describe('creating a store', () => {
  it('on several machines at the same time creates one', async () => {
    const url = await postgres().database()
    const tries = Array.from({ length: 3 }, async () => await createPostgres(url, { document: sampleDocument() }))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    for (const reason of refused) expect(reason).toMatchObject({ code: 'CONFLICT' })
  })
})

describe('copying a store', () => {
  async function filled() {
    const data = await dataFolder()
    const { store, sessions } = await data.open()
    for (let count = 0; count < 3; count++) await store.update(addShare)
    await store.update(addUser)
    return { from: { folder: data.folder, url: '' }, document: store.snapshot(), sessions }
  }

  it('to a database and back changes nothing', async () => {
    const { from, document } = await filled()
    const url = await postgres().database()
    const back = { folder: await temporaryFolder(), url: '' }
    const log = silentLogger
    expect(await copyStore({ from, to: { ...from, url }, replace: false, log })).toMatchObject({ users: 2, shares: 3 })
    await copyStore({ from: { ...from, url }, to: back, replace: false, log })
    await using stores = await openStores({ folder: back.folder })
    expect(stores.store.snapshot()).toEqual(document)
  })

  it('refuses a target that has a store, unless it is told to replace it', async () => {
    const { from, document } = await filled()
    const to = { ...from, url: await created() }
    const running = await node(to.url)
    const log = silentLogger
    await expect(copyStore({ from, to, replace: false, log })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await node(to.url)).store.snapshot().shares).toEqual([])
    await copyStore({ from, to, replace: true, log })
    expect((await node(to.url)).store.snapshot()).toEqual(document)
    await running.store.update(addUser)
    expect(running.store.snapshot().shares).toEqual(document.shares)
    await expect(copyStore({ from: to, to: from, replace: false, log })).rejects.toMatchObject({ code: 'CONFLICT' })
    await copyStore({ from: to, to: from, replace: true, log })
    expect(await readdir(from.folder)).toContainEqual(expect.stringContaining('store.json.before-copy-'))
  })
})
