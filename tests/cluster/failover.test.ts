import { expect, it, vi } from 'vitest'
import type { Lease } from '../../src/store/store.ts'
import { createPostgres, openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { addUser, countUp, sampleDocument } from '../contract/store/samples.ts'
import { runCli, runCliJson } from '../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

const LATER = { timeout: 300_000, interval: 20 }

/**
 * The server fails after commits that its standby lacks. Before those who use the address meet the new server, others have
 * committed as much there as was lost.
 */
async function failOver(
  server: TestPostgres,
  url: string,
  { lost, instead }: { readonly lost: () => Promise<unknown>; readonly instead: (url: string) => Promise<unknown> },
): Promise<AsyncDisposable> {
  const standby = await server.standby()
  await standby.detach()
  await lost()
  await server.stop()
  await standby.promote()
  await instead(standby.at(url))
  await standby.takeAddress()
  return standby
}

it('a database of an older version, which knew no histories, is opened and followed', async () => {
  const url = await created()
  await postgres().query(url, 'DROP TABLE filemgr_revisions')
  const [one, other] = [await node(url), await node(url)]
  await one.store.update(addUser)
  await postgres().query(url, 'UPDATE filemgr_state SET revision = revision + 1')
  await one.store.update(addUser)
  await vi.waitFor(() => expect(other.store.snapshot()).toEqual(one.store.snapshot()), LATER)
  expect(other.store.snapshot().users).toHaveLength(3)
})

it('after a failover that lost commits, all daemons have what the new server has', async () => {
  const url = await created()
  const [one, other] = [await node(url), await node(url)]
  await one.store.update(addUser)
  await using _standby = await failOver(postgres(), url, {
    async lost() {
      for (let count = 0; count < 3; count++) await one.store.update(addUser)
      await vi.waitFor(() => expect(other.store.snapshot().users).toHaveLength(5), LATER)
    },
    async instead(there) {
      await using third = await openPostgres({ url: there })
      for (let count = 0; count < 2; count++) await third.store.update(countUp)
      await third.store.update(({ users: [, user] }) => user && (user.disabled = true))
    },
  })
  await using fresh = await openPostgres({ url })
  for (const { store } of [one, other])
    await vi.waitFor(() => expect(store.snapshot()).toEqual(fresh.store.snapshot()), LATER)
  expect(fresh.store.snapshot().users).toMatchObject([{ disabled: false }, { disabled: true }])
  await vi.waitFor(async () => await one.store.update(addUser), LATER)
  await vi.waitFor(() => expect(other.store.snapshot()).toEqual(one.store.snapshot()), LATER)
})

it('a lease whose commit was lost in a failover guards no write after it', async () => {
  await using server = await startPostgres()
  const url = await server.database()
  await createPostgres(url, { document: sampleDocument() })
  await using before = await openPostgres({ url })
  const acquired = async ({ shared }: typeof before, prefix: string) => {
    const all: Lease[] = []
    for (let count = 0; count < 100; count++) {
      const lease = await shared?.leases.takeOver(`${prefix}${count}`, {})
      if (lease !== undefined) all.push(lease)
    }
    return all
  }
  const lost: Lease[] = []
  await using _standby = await failOver(server, url, {
    lost: async () => void lost.push(...(await acquired(before, 'lost'))),
    async instead(there) {
      await using third = await openPostgres({ url: there })
      const fences = new Set((await acquired(third, 'other')).map(({ fence }) => fence))
      expect(fences.size).toBe(100)
      expect(lost.map(({ fence }) => fence).filter((fence) => fences.has(fence))).toEqual([])
    },
  })
  expect(lost).toHaveLength(100)
})

it('a daemon that writes first after such a failover bases its change on what the new server has', async () => {
  await using server = await startPostgres()
  const url = await server.database()
  await createPostgres(url, { document: sampleDocument() })
  await using command = await openPostgres({ url })
  await using _standby = await failOver(server, url, {
    lost: async () => await command.store.update(addUser),
    instead: async (there) => {
      await using third = await openPostgres({ url: there })
      await third.store.update(({ users: [user] }) => user && (user.disabled = true))
    },
  })
  await vi.waitFor(async () => await command.store.update(countUp), LATER)
  await using fresh = await openPostgres({ url })
  expect(command.store.snapshot()).toEqual(fresh.store.snapshot())
  expect(fresh.store.snapshot().users).toMatchObject([{ disabled: true }])
})

it('after such a failover, a user disabled meanwhile is signed out at each daemon, and a lost one is unknown', async () => {
  await using server = await startPostgres()
  const url = await server.database()
  await using folder = await tempFolder()
  const start = async (name: string) =>
    await startTestDaemon({ data: folder.at(name), env: { FILEMGR_STORE: url }, files: { 'a.txt': 'a' } })
  await using one = await start('one')
  await using other = await start('other')
  const run = async (store: string, ...args: string[]) =>
    expect(await runCli(args, { env: { FILEMGR_STORE: store } }), args.join(' ')).toMatchObject({ code: 0 })
  const status = async ({ url: at }: { readonly url: string }) =>
    (await fetch(`${at}api/resources/`, { headers: { 'x-auth': one.token } })).status
  await run(url, 'users', 'add', 'boss', '--generate-password', '--perm.admin')
  await vi.waitFor(async () => expect([await status(one), await status(other)]).toEqual([200, 200]), LATER)

  await using _standby = await failOver(server, url, {
    async lost() {
      await run(url, 'users', 'add', 'mallory', '--generate-password')
      for (const name of ['A', 'B', 'C', 'D']) await run(url, 'settings', 'set', `branding.name=${name}`)
      await vi.waitFor(async () => expect(await status(other)).toBe(200), LATER)
    },
    async instead(there) {
      await run(there, 'users', 'disable', 'admin')
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await run(there, 'settings', 'set', `branding.name=${name}`)
    },
  })
  for (const daemon of [one, other]) await vi.waitFor(async () => expect(await status(daemon)).toBe(401), LATER)
  const users = await runCliJson<{ username: string }[]>(['users', 'ls'], { env: { FILEMGR_STORE: url } })
  expect(users.map(({ username }) => username)).toEqual(['admin', 'boss'])
})
