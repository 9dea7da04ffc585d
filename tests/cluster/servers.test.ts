import { execFileSync } from 'node:child_process'
import { describe, expect, it, vi } from 'vitest'
import { createPostgres, openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { Database } from '../../src/store/postgres/database.ts'
import { silentLogger } from '../../src/platform/logging/logger.ts'
import { addUser, sampleDocument } from '../contract/store/samples.ts'
import { runCli, runCliJson } from '../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { selfSigned } from '../helpers/self-signed.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

const LATER = { timeout: 300_000, interval: 20 }

/** The address of both servers, of which the first in the list is asked first. */
const both = (one: string, other: string) => {
  const { host, pathname } = new URL(one)
  return `postgres://filemgr@${host},${new URL(other).host}${pathname}?target_session_attrs=read-write`
}

describe('an address with several servers', () => {
  it('finds the one that takes writes, also after a failover, and never uses a standby', async () => {
    await using server = await startPostgres()
    const url = await server.database()
    await createPostgres(url, { document: sampleDocument() })
    await using standby = await server.standby()
    await standby.detach()
    await expect(openPostgres({ url: standby.at(url) })).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: expect.stringContaining('is a standby') as string,
    })
    await using stores = await openPostgres({ url: both(standby.at(url), url), follows: true })
    await stores.store.update(addUser)
    await server.stop()
    await expect(stores.store.update(addUser)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    await standby.promote()
    await vi.waitFor(async () => await stores.store.update(addUser), LATER)
    await using fresh = await openPostgres({ url: standby.at(url) })
    expect(stores.store.snapshot()).toEqual(fresh.store.snapshot())
  })

  it('is shown by commands without the password', async () => {
    const url = both('postgres://127.0.0.1:1/x', await created())
    const { code, stderr } = await runCli(['users', 'ls'], {
      env: { FILEMGR_STORE: url.replace('@', ':open-sesame@') },
    })
    expect([code, stderr]).toEqual([6, expect.stringContaining('filemgr@127.0.0.1:1,127.0.0.1:')])
    expect(stderr).not.toContain('open-sesame')
  })
})

describe('an address with sslmode', () => {
  it('checks the server unless it says no-verify, and prints no warning of Node', async () => {
    await using folder = await tempFolder()
    const { cert, key } = selfSigned(folder)
    await using server = await startPostgres(
      ['ssl = on', `ssl_cert_file = '${cert}'`, `ssl_key_file = '${key}'`],
      (uid) => execFileSync('chown', ['-R', String(uid), folder.path]),
    )
    const url = await server.database()
    await createPostgres(url, { document: sampleDocument() })
    const ask = async (query: string) =>
      await runCli(['users', 'ls', '--quiet'], { env: { FILEMGR_STORE: `${url}?${query}` } })
    for (const query of [
      'sslmode=no-verify',
      `sslmode=require&sslrootcert=${cert}`,
      `sslmode=verify-full&sslrootcert=${cert}`,
    ])
      expect(await ask(query), query).toMatchObject({ code: 0, stdout: '1\n', stderr: '' })
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      const { code, stderr } = await ask(`sslmode=${mode}`)
      expect([code, stderr.trim().split('\n').length]).toEqual([6, 1])
      expect(stderr).toContain('sslrootcert')
    }
  })

  it('says that the server does not encrypt', async () => {
    const url = await created()
    await expect(openPostgres({ url: `${url}?sslmode=require` })).rejects.toMatchObject({
      code: 'STORE_INVALID',
      message: expect.stringContaining('does not encrypt') as string,
    })
  })
})

it('a writer that is frozen in its transaction keeps others waiting for two seconds, and is told', async () => {
  const url = await created()
  const { store } = await node(url)
  const thawed = Promise.withResolvers<undefined>()
  const holds = Promise.withResolvers<undefined>()
  const database = new Database({ url, log: silentLogger, requireReadable: () => undefined, apply: () => undefined })
  await database.load(false)
  const frozen = database
    .write(async () => {
      holds.resolve(undefined)
      await thawed.promise
      return { rows: [{ kind: 'fields', id: 'nothing', data: 1 }], committed: () => undefined }
    })
    .catch((error: unknown) => error)
  await holds.promise
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('still waiting'), 6000)
  expect(await Promise.race([store.update(addUser), late.promise])).toBe(2)
  clearTimeout(timer)
  thawed.resolve(undefined)
  expect(await frozen).toMatchObject({ code: 'STORE_BUSY' })
  await database[Symbol.asyncDispose]()
})

it('status lists a daemon once that was killed and started again', async () => {
  const url = await postgres().database()
  await using folder = await tempFolder()
  const options = { data: folder.at('data'), env: { FILEMGR_STORE: url }, files: { 'a.txt': 'a' } }
  await using killed = await startTestDaemon(options)
  const nodes = async () =>
    (await runCliJson<{ nodes: { pid: number; isAlive: boolean }[] }>(['--data', options.data, 'status'], options))
      .nodes
  await vi.waitFor(async () => expect(await nodes()).toMatchObject([{ pid: killed.pid }]), LATER)
  await killed.stop('SIGKILL')
  await using again = await startTestDaemon(options)
  await vi.waitFor(async () => expect(await nodes()).toContainEqual(expect.objectContaining({ pid: again.pid })), LATER)
  expect(await nodes()).toMatchObject([{ pid: again.pid, isAlive: true }])
})
