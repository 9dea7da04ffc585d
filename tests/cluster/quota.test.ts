import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../../src/domain/accounts/actor.ts'
import { createContext, type Context } from '../../src/context.ts'
import type { UserPatch } from '../../src/domain/accounts/user.ts'
import type { QuotaUse, QuotaView } from '../../src/domain/access/quota.ts'
import { defaultsOf } from '../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../src/domain/server/server-options.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { type Machines, machinesOfFile } from './machines.ts'

const { machines } = machinesOfFile()

const MiB = 1024 * 1024
const SIZE = 64 * 1024
const FITTING = MiB / SIZE
const RACERS = Array.from({ length: 20 }, (_, number) => number)

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => await s3[Symbol.asyncDispose]())

/** Gives a quota to the administrator, whose scope is everything. */
async function limit({ url }: Machines, quota: Pick<UserPatch, 'quota' | 'quotaFiles'>): Promise<void> {
  const stores = await openPostgres({ url, follows: true })
  await using context: Context = await createContext({ options: defaultsOf(ServerOptions), stores })
  const [admin] = context.store.snapshot().users
  if (admin === undefined) throw new Error('there is no user')
  await context.services.users.update(OPERATOR, admin.id, quota)
}

const usedOf = async ({ ask, one }: Machines) =>
  ((await (await ask(one, 'api/usage/')).json()) as { quota?: QuotaUse }).quota?.used

describe('20 clients of two daemons that race for the last megabyte of a quota', () => {
  const PLACES: [string, () => object][] = [
    ['on a disk', () => ({})],
    ['in a bucket', () => ({ root: `s3://${s3.bucket}/${randomUUID()}`, env: s3.env })],
  ]

  it.each(PLACES)('do not exceed it, with whole files and with uploads in parts, %s', async (_where, options) => {
    await using cluster = await machines(options())
    await limit(cluster, { quota: 2 * MiB })
    const daemonOf = (number: number) => (number % 2 === 0 ? cluster.one : cluster.other)
    const recount = async () => await cluster.ask(cluster.other, 'api/quotas/1/recount', { method: 'POST' })
    /** On a busy machine, the others may make counts inexact for so long that a client is asked to try again. */
    const statusOf = async (send: () => Promise<Response>): Promise<number> => {
      const { status } = await send()
      return status === 503 ? await statusOf(send) : status
    }
    /** All send at once: as many succeed as fit. */
    const race = async (send: (number: number) => Promise<Response>, done: number) => {
      const statuses = await Promise.all(RACERS.map(async (number) => await statusOf(async () => await send(number))))
      const expected = [...Array<number>(FITTING).fill(done), ...Array<number>(RACERS.length - FITTING).fill(507)]
      expect(statuses.toSorted()).toEqual(expected)
    }
    const post = async (number: number) =>
      await cluster.ask(daemonOf(number), `api/resources/file${number}`, { method: 'POST', body: Buffer.alloc(SIZE) })
    const begin = async (number: number) =>
      await cluster.ask(daemonOf(number), `api/tus/part${number}`, {
        method: 'POST',
        headers: { 'upload-length': String(SIZE), 'tus-resumable': '1.0.0' },
      })
    expect(
      (await cluster.ask(cluster.one, 'api/resources/first', { method: 'POST', body: Buffer.alloc(MiB) })).status,
    ).toBe(200)
    await race(post, 200)
    expect(await usedOf(cluster)).toEqual({ bytes: 2 * MiB, files: FITTING + 1 })
    await cluster.ask(cluster.other, 'api/resources/first', { method: 'DELETE' })
    await race(begin, 201)
    // A count may include uploads twice that began meanwhile, until the next count.
    await recount()
    expect(await usedOf(cluster)).toEqual({ bytes: 2 * MiB, files: 2 * FITTING })
  })
  it.each(PLACES)('do not exceed it with folders, some of them in others, %s', async (_where, options) => {
    await using cluster = await machines(options())
    await limit(cluster, { quotaFiles: FITTING })
    const daemonOf = (number: number) => (number % 2 === 0 ? cluster.one : cluster.other)
    const make = async (path: string, number: number) =>
      (await cluster.ask(daemonOf(number), `api/resources/${path}/`, { method: 'POST' })).status
    const race = async (pathOf: (number: number) => string) =>
      await Promise.all(RACERS.map(async (number) => await make(pathOf(number), number)))
    const found = async () => {
      const answer = await cluster.ask(cluster.other, 'api/quotas/1/recount', { method: 'POST' })
      return ((await answer.json()) as QuotaView).used
    }
    const first = await race((number) => `top ${number % 4}/sub ${number}`)
    expect(new Set(first)).toEqual(new Set([200, 507]))
    expect((await found())?.files).toBeLessThanOrEqual(FITTING)
    // While a daemon counts, it may refuse what fits.
    for (let turn = 1; turn <= 5; turn += 1) {
      await race((number) => `more ${number}`)
      if ((await found())?.files === FITTING) break
    }
    expect(await found()).toEqual({ bytes: 0, files: FITTING })
    expect(await usedOf(cluster)).toEqual({ bytes: 0, files: FITTING })
  })
})
