import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type BalancerName, startBalancer } from '../../helpers/cluster/balancer.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { startPostgres } from '../../helpers/postgres.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const LATER = { timeout: 300_000, interval: 100 }
const MANY = 12

interface Daemons {
  readonly all: readonly TestDaemon[]
  /** Takes the database away from the last one, or gives it back. */
  cut(isCut: boolean): Promise<void>
}

const held = new AsyncDisposableStack()
let daemons: Daemons
beforeAll(async () => {
  const postgres = held.use(await startPostgres())
  const url = await postgres.database()
  await postgres.query(url, 'CREATE ROLE third LOGIN IN ROLE filemgr')
  const files = held.use(await tempFolder({ 'a.txt': 'a' }))
  const data = held.use(await tempFolder())
  const start = async (name: string, store: string) => {
    const env = { FILEMGR_STORE: store, FILEMGR_TRUSTED_PROXIES: '127.0.0.1' }
    return held.use(await startTestDaemon({ data: data.at(name), root: files.path, env }))
  }
  const all = [await start('one', url), await start('two', url), await start('three', postgres.as('third', url))]
  daemons = {
    all,
    async cut(isCut) {
      await postgres.query(url, `ALTER ROLE third ${isCut ? 'NOLOGIN' : 'LOGIN'}`)
      await postgres.query(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'third'")
    },
  }
})
afterAll(async () => await held.disposeAsync())

/** A balancer, and what asks through it as the administrator. */
async function balanced(name: BalancerName) {
  const { all } = daemons
  const balancer = await startBalancer(
    all.map(({ url }) => url),
    name,
  )
  const ask = async (path: string, init: RequestInit = {}) =>
    (await fetch(new URL(path, balancer.url), { ...init, headers: { 'x-auth': all[0]?.token ?? '' } })).status
  const reads = async () =>
    await Promise.all(Array.from({ length: MANY }, async () => await ask('api/resources/a.txt')))
  const fine = Array<number>(MANY).fill(200)
  await vi.waitFor(async () => expect(await reads()).toEqual(fine), LATER)
  return { ask, reads, fine, [Symbol.asyncDispose]: async () => await balancer[Symbol.asyncDispose]() }
}

describe.each(['haproxy', 'caddy', 'nginx'] as const)('%s with our configuration', (name) => {
  it('sends reads to others while a daemon has lost its database', async () => {
    await using cluster = await balanced(name)
    await daemons.cut(true)
    try {
      const ready = async () => (await fetch(new URL('health/ready', daemons.all[2]?.url))).status
      await vi.waitFor(async () => expect(await ready()).toBe(503), LATER)
      await vi.waitFor(async () => expect(await cluster.reads()).toEqual(cluster.fine), LATER)
      for (let round = 0; round < 5; round++) expect(await cluster.reads()).toEqual(cluster.fine)
    } finally {
      await daemons.cut(false)
      const resources = async () =>
        await fetch(new URL('api/resources/', daemons.all[2]?.url), {
          headers: { 'x-auth': daemons.all[0]?.token ?? '' },
        })
      await vi.waitFor(async () => expect((await resources()).status).toBe(200), LATER)
    }
  })

  it('sends reads to others while a daemon is frozen', async () => {
    await using cluster = await balanced(name)
    const [, frozen] = daemons.all
    if (frozen === undefined) throw new Error('there is no such daemon')
    process.kill(frozen.pid, 'SIGSTOP')
    try {
      await vi.waitFor(async () => expect(await cluster.reads()).toEqual(cluster.fine), LATER)
      expect(await cluster.reads()).toEqual(cluster.fine)
    } finally {
      process.kill(frozen.pid, 'SIGCONT')
    }
  })

  it('passes on what is written, once', async () => {
    await using cluster = await balanced(name)
    const body = Buffer.alloc(3_000_000, name)
    expect(await cluster.ask(`api/resources/${name}.bin`, { method: 'POST', body })).toBe(200)
    expect(await cluster.ask(`api/resources/${name}.bin`, { method: 'POST', body })).toBe(409)
    const stored = await fetch(new URL(`api/raw/${name}.bin`, daemons.all[0]?.url), {
      headers: { 'x-auth': daemons.all[0]?.token ?? '' },
    })
    expect(Buffer.from(await stored.arrayBuffer()).equals(body)).toBe(true)
  })
})

describe.each(['haproxy', 'caddy'] as const)('%s, which asks each daemon,', (name) => {
  it('sends writes to others while a daemon is frozen or has lost its database', async () => {
    await using cluster = await balanced(name)
    const [, frozen] = daemons.all
    if (frozen === undefined) throw new Error('there is no such daemon')
    process.kill(frozen.pid, 'SIGSTOP')
    await daemons.cut(true)
    try {
      await vi.waitFor(async () => expect(await cluster.reads()).toEqual(cluster.fine), LATER)
      // Until it has asked each of them twice.
      await new Promise((resolve) => setTimeout(resolve, 5000))
      const writes = Array.from(
        { length: MANY },
        async (_, number) => await cluster.ask(`api/resources/${name}-${number}.txt`, { method: 'POST', body: 'x' }),
      )
      expect(await Promise.all(writes)).toEqual(cluster.fine)
    } finally {
      process.kill(frozen.pid, 'SIGCONT')
      await daemons.cut(false)
    }
  })
})
