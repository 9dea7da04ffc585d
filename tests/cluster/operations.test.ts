import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Context, createContext } from '../../src/context.ts'
import { announceNode, listNodes } from '../../src/services/server/nodes.ts'
import { defaultsOf } from '../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../src/domain/server/server-options.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { runCli, runCliJson } from '../helpers/cli/run-cli.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { recordingLog } from '../helpers/recording-log.ts'
import { CLIENT } from '../helpers/test-context.ts'
import { machinesOfFile, SOON, TAKEOVER } from './machines.ts'
import { uploadTo } from './upload-to.ts'

const { postgres, machines } = machinesOfFile()

const MiB = 1024 * 1024

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => await s3[Symbol.asyncDispose]())

interface Report {
  readonly checks: readonly { readonly name: string; readonly findings: readonly { readonly problem: string }[] }[]
}

const findingsOf = async (env: Readonly<Record<string, string>>, name: string) => {
  const { stdout } = await runCli(['doctor', '--json'], { env })
  const check = (JSON.parse(stdout) as Report).checks.find((each) => each.name === name)
  return check?.findings.map(({ problem }) => problem) ?? []
}

describe('a daemon that is asked to stop', () => {
  /** The number of daemons that hold a lease. */
  const ALIVE = 'SELECT count(DISTINCT holder) FROM filemgr_leases WHERE until > now()'
  const statusOf = async (daemon: TestDaemon, path: string) => (await daemon.fetch(path)).status

  it('reports that it is not ready, still serves for a while, and leaves its uploads to others', async () => {
    await using cluster = await machines({ files: { 'a.txt': 'a' } })
    const { one, other, url } = cluster
    const body = randomBytes(4 * MiB)
    const upload = uploadTo(cluster, body)
    await upload.begin(one)
    void upload.stall(one, 0, 3 * MiB)
    await pause(500)
    const stopped = one.stop()
    await vi.waitFor(async () => expect(await statusOf(one, 'health/ready')).toBe(503), SOON)
    const chores = "SELECT count(*) FROM filemgr_leases WHERE name = 'chores' AND until > now()"
    expect(await statusOf(one, 'health/live')).toBe(200)
    expect(await statusOf(one, 'api/resources/a.txt')).toBe(200)
    expect(await statusOf(other, 'health/ready')).toBe(200)
    await vi.waitFor(async () => expect(await postgres().query(url, chores)).toBe('1'), SOON)
    expect(await stopped).toMatchObject({ code: 0 })
    const offset = await upload.offset(other)
    expect(offset).toBeGreaterThan(0)
    expect(await upload.send(other, offset)).toBe(body.length)
    expect(await upload.whole(other)).toBe(true)
    expect(await postgres().query(url, ALIVE)).toBe('1')
  })

  it('does not wait if no other daemon runs', async () => {
    await using cluster = await machines()
    await cluster.other.stop('SIGKILL')
    await vi.waitFor(async () => expect(await postgres().query(cluster.url, ALIVE)).toBe('1'), TAKEOVER)
    const begun = performance.now()
    await cluster.one.stop()
    expect(performance.now() - begun).toBeLessThan(2500)
  })
})

describe('status and doctor', () => {
  it('show the store, the root and all daemons, also a dead one', async () => {
    await using cluster = await machines()
    const { other, url, files, data, env } = cluster
    const status = async () =>
      await runCliJson<{ store: string; root: string; nodes: object[] }>(['--data', data.at('one'), 'status'], { env })
    const node = { host: expect.any(String) as string, root: files.path, version: expect.any(String) as string }
    const alive = { ...node, isAlive: true, skew: expect.any(Number) as number }
    await vi.waitFor(async () => expect((await status()).nodes).toMatchObject([alive, alive]), SOON)
    expect(await status()).toMatchObject({ store: url, root: files.path })
    expect(await findingsOf(env, 'nodes')).toEqual([])
    await other.stop('SIGKILL')
    const dead = { ...node, isAlive: false, url: other.url, lastSeen: expect.any(String) as string }
    await vi.waitFor(async () => expect((await status()).nodes).toMatchObject([alive, dead]), TAKEOVER)
    expect(await findingsOf(env, 'nodes')).toEqual([expect.stringContaining('not heard of since')])
  })
})

describe('clocks', () => {
  /** A daemon without HTTP whose clock is wrong. */
  async function daemonWith(url: string, skew: number): Promise<Context> {
    const stores = await openPostgres({ url, follows: true })
    const clock = { now: () => Date.now() + skew }
    return await createContext({ options: defaultsOf(ServerOptions), stores, clock })
  }

  it('that differ by 30 s make no difference for sessions', async () => {
    await using cluster = await machines()
    await using ahead = await daemonWith(cluster.url, 30_000)
    await using behind = await daemonWith(cluster.url, 0)
    const [admin] = ahead.store.snapshot().users
    if (admin === undefined) throw new Error('there is no user')
    for (const [first, second] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const code = await first.services.auth.issueCode(admin.id)
      const token = await second.services.auth.redeemCode(code, CLIENT)
      const accepts = async ({ services }: Context, text: string) => {
        const { actor } = await services.auth.authenticate(text, CLIENT)
        expect(actor.id).toBe(admin.id)
      }
      // At once: a page that signs in asks any daemon for the next thing.
      await accepts(first, token)
      const { auth } = first.services
      const renewed = await auth.renew((await auth.authenticateToRenew(token, CLIENT)).actor, CLIENT)
      await accepts(second, renewed)
      // The old token stays valid for requests that are in flight.
      await accepts(second, token)
    }
  })

  it('that differ by more are reported', async () => {
    await using cluster = await machines()
    await using stores = await openPostgres({ url: cluster.url })
    const { shared } = stores
    if (shared === undefined) throw new Error('nothing is shared')
    const log = recordingLog()
    const clock = { now: () => Date.now() + 45_000 }
    await using _node = announceNode({ url: 'http://fast/', version: '1', root: '/' }, { shared, clock, log })
    const fast = async () => (await listNodes(shared)).find(({ url }) => url === 'http://fast/')?.skew ?? 0
    await vi.waitFor(async () => expect(Math.abs((await fast()) - 45_000)).toBeLessThan(2000), SOON)
    expect(log.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('45 s ahead') as string }])
    const problems = await findingsOf(cluster.env, 'nodes')
    expect(problems.join('\n')).toMatch(/the clock of .* \(http:\/\/fast\/\) is 4\d s ahead of that of the database/)
  })
})

describe('an upload continues without losing acknowledged bytes', () => {
  const body = randomBytes(14 * MiB)

  it('after the S3 server was unreachable', async () => {
    await using cluster = await machines({ root: `s3://${s3.bucket}/away`, env: s3.env })
    const { one } = cluster
    const upload = uploadTo(cluster, body)
    await upload.begin(one)
    expect(await upload.send(one, 0, 6 * MiB)).toBe(6 * MiB)
    await s3.stop()
    const refused = await upload.try(one, 6 * MiB, 12 * MiB)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    const ready = await cluster.ask(one, 'health/ready', { headers: { accept: 'application/json' } })
    expect([ready.status, await ready.text()]).toEqual([503, expect.not.stringContaining(s3.bucket)])
    await s3.start()
    const offset = await upload.offset(one)
    expect(offset).toBeGreaterThanOrEqual(6 * MiB)
    expect(await upload.send(one, offset)).toBe(body.length)
    expect(await upload.whole(one)).toBe(true)
  })

  it('after the database was unreachable', async () => {
    await using cluster = await machines()
    const { one, other } = cluster
    const upload = uploadTo(cluster, body)
    await upload.begin(one)
    expect(await upload.send(one, 0, 6 * MiB)).toBe(6 * MiB)
    const stalled = upload.stall(one, 6 * MiB, 8 * MiB)
    await pause(300)
    await postgres().stop()
    // Without the database, the daemon cannot know whether it is still the only writer.
    expect(await stalled).toBe(503)
    await postgres().start()
    await vi.waitFor(async () => expect((await upload.head(other)).status).toBe(200), TAKEOVER)
    const offset = await upload.offset(other)
    expect(offset).toBeGreaterThanOrEqual(6 * MiB)
    expect(await upload.send(other, offset)).toBe(body.length)
    expect(await upload.whole(one)).toBe(true)
  })
})
