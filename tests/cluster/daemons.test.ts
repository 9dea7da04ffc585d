import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli, runCliJson } from '../helpers/cli/run-cli.ts'
import { startTestDaemon, type TestDaemonOptions } from '../helpers/cli/test-daemon.ts'
import { testStore } from '../helpers/cli/test-store.ts'
import { eventually } from '../helpers/patience.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => await postgres[Symbol.asyncDispose]())

/** Starts daemons with one database, each with its own data folder, as on several machines. */
async function machines(url: string) {
  const folder = await tempFolder()
  const env = { FILEMGR_STORE: url }
  const start = async (name: string, more: TestDaemonOptions = {}) =>
    await startTestDaemon({ data: folder.at(name), env, files: { 'a.txt': name }, ...more })
  return { at: folder.at, env, start, [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose]() }
}

it('two daemons share accounts and sessions, which commands on any machine change', async () => {
  const url = await postgres.database()
  await using cluster = await machines(url)
  const { at, env } = cluster
  await using one = await cluster.start('one')
  await using other = await cluster.start('other')
  const asOne = async (path: string, init: RequestInit = {}) =>
    await fetch(`${other.url}${path}`, { ...init, headers: { 'x-auth': one.token } })
  expect((await asOne('api/users')).status).toBe(200)

  // Without the daemon's environment, a command beside it uses its store.
  const added = await runCli(['--data', at('one'), 'users', 'add', 'eve', '--password-stdin'], {
    stdin: 'a long passphrase',
  })
  expect(added).toMatchObject({ code: 0 })
  expect(await runCliJson<object[]>(['users', 'ls'], { env })).toHaveLength(2)
  await eventually(async () => expect(await (await asOne('api/users')).json()).toHaveLength(2))

  const [session] = await runCliJson<{ id: string }[]>(['sessions', 'ls'], { env })
  expect(await runCli(['sessions', 'revoke', session?.id ?? ''], { env })).toMatchObject({ code: 0 })
  await eventually(async () => expect((await asOne('api/users')).status).toBe(401))
})

it('commands and daemons start after accounts, links and sessions were removed', async () => {
  const url = await postgres.database()
  await using cluster = await machines(url)
  const { at, env } = cluster
  const ok = async (...args: string[]) => expect(await runCli(args, { env }), args.join(' ')).toMatchObject({ code: 0 })
  await using one = await cluster.start('one')
  await ok('users', 'add', 'bob', '--generate-password')
  const { hash } = await runCliJson<{ hash: string }>(['shares', 'add', '/a.txt', '--user', 'admin'], { env })
  await ok('shares', 'rm', hash, '--yes')
  await ok('users', 'rm', 'bob', '--yes')
  await ok('sessions', 'revoke', '--all')
  await one.stop('SIGKILL')

  expect(await runCliJson<object[]>(['users', 'ls'], { env })).toHaveLength(1)
  await using again = await cluster.start('one')
  expect((await fetch(`${again.url}health`)).status).toBe(200)
  await ok('--data', at('one'), 'status')
  await ok('backup', 'create', at('state.tar'))
  await ok('store', 'copy', '--from', url, '--to', at('copy'))
})

it('wrong passwords are counted across all daemons, also when they are sent at the same time', async () => {
  await using cluster = await machines(await postgres.database())
  await using one = await cluster.start('one')
  await using other = await cluster.start('other')
  const body = JSON.stringify({ username: 'eve', password: 'a wrong passphrase' })
  const guesses = Array.from({ length: 12 }, async (_, number) => {
    const { url } = number % 2 === 0 ? one : other
    return (await fetch(`${url}api/login`, { method: 'POST', body })).status
  })
  const statuses = await Promise.all(guesses)
  expect(statuses.toSorted()).toEqual([...Array<number>(5).fill(403), ...Array<number>(7).fill(429)])
})

it('while the database is unreachable, requests get 503 with Retry-After, and afterwards they work again', async () => {
  await using cluster = await machines(await postgres.database())
  await using daemon = await cluster.start('one')
  expect((await daemon.fetch('health/ready')).status).toBe(200)
  await postgres.stop()
  await eventually(async () => expect((await daemon.fetch('api/resources/')).status).toBe(503))
  const reply = await daemon.fetch('api/resources/a.txt', { method: 'PUT', body: 'new' })
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await readFile(join(daemon.root, 'a.txt'), 'utf8')).toBe('one')
  expect((await daemon.fetch('health/ready')).status).toBe(503)
  expect((await daemon.fetch('health/live')).status).toBe(200)
  await postgres.start()
  await eventually(async () => expect((await daemon.fetch('api/resources/')).status).toBe(200))
})

it('with storeOutage, reads and links go on for that time while the database is away, and nothing else', async () => {
  await using cluster = await machines(await postgres.database())
  await using daemon = await cluster.start('one', { env: { ...cluster.env, FILEMGR_STORE_OUTAGE: '12' } })
  const status = async (path: string, init: RequestInit = {}) => (await daemon.fetch(path, init)).status
  const share = async (body: object) => {
    const reply = await daemon.fetch('api/share/a.txt', { method: 'POST', body: JSON.stringify(body) })
    return ((await reply.json()) as { hash: string }).hash
  }
  const [open, limited] = [await share({}), await share({ terms: { maxDownloads: 3 } })]
  const visited = async (hash: string) => (await fetch(`${daemon.url}api/public/dl/${hash}`)).status
  expect([await visited(open), await visited(limited)]).toEqual([200, 200])

  await postgres.stop()
  // For a second, the daemon need not know.
  await eventually(async () => expect(await status('api/command/')).toBe(503))
  expect([await status('api/resources/'), await status('api/raw/a.txt'), await visited(open)]).toEqual([200, 200, 200])
  expect(await status('health/ready')).toBe(200)
  const login = JSON.stringify({ username: daemon.username, password: daemon.password })
  expect([
    await visited(limited),
    await status('api/resources/a.txt', { method: 'PUT', body: 'new' }),
    await status('api/resources/b.txt', { method: 'POST', body: 'new' }),
    await status('api/resources/a.txt', { method: 'DELETE' }),
    await status('api/login', { method: 'POST', body: login }),
    await status('api/sessions', { method: 'DELETE' }),
  ]).toEqual(Array(6).fill(503))
  expect(await readFile(join(daemon.root, 'a.txt'), 'utf8')).toBe('one')

  await eventually(async () => expect(await status('api/resources/')).toBe(503))
  expect([await visited(open), await status('health/ready')]).toEqual([503, 503])
  await postgres.start()
  await eventually(async () => expect(await status('api/resources/')).toBe(200))
})

it('the password of the database is shown nowhere', async () => {
  const url = postgres.as('guarded', await postgres.database(), 'open-sesame')
  await using cluster = await machines(url)
  await using daemon = await cluster.start('one')
  const data = ['--data', cluster.at('one')]
  const line = execFileSync('ps', ['-o', 'args=', '-p', String(daemon.pid)], { encoding: 'utf8' })
  const record = await readFile(join(cluster.at('one'), 'daemon.json'), 'utf8')
  const { env } = cluster
  const outputs = [
    await runCli([...data, 'server', 'get'], { env }),
    await runCli([...data, 'config', 'cat', '--json'], { env }),
    await runCli([...data, 'doctor', '--json'], { env }),
    await runCli([...data, 'status', '--json'], { env }),
  ]
  const options = await (await daemon.fetch('api/server')).text()
  const { stderr } = await daemon.stop()
  const shown = [line, record, options, stderr, ...outputs.flatMap(({ stdout, stderr: said }) => [stdout, said])].join(
    '\n',
  )
  expect(shown).toContain('guarded@127.0.0.1')
  expect(shown).not.toContain('open-sesame')
  const refused = await runCli(['--store', url, 'users', 'ls'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).not.toContain('open-sesame')
  expect(refused.stderr).toContain('PGPASSWORD')
  const clear = url.replace(':open-sesame', '')
  expect(await runCli(['--store', clear, 'users', 'ls'], { env: { PGPASSWORD: 'open-sesame' } })).toMatchObject({
    code: 0,
  })
})

it('a daemon with an empty database refuses to ignore the store in its data folder, which one command copies', async () => {
  await using store = await testStore()
  const url = await postgres.database()
  const options = { data: store.data, root: store.root, env: { FILEMGR_STORE: url } }
  await expect(startTestDaemon(options)).rejects.toThrow('filemgr store copy')
  const copied = await store.runProcess(['store', 'copy', '--from', store.data, '--to', url])
  expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining('copied 1 user,') as string })
  expect(await store.runProcess(['store', 'copy', '--from', store.data, '--to', url])).toMatchObject({ code: 5 })
  await using daemon = await startTestDaemon(options)
  expect(daemon.username).toBe('admin')
})

it('says in one line what is wrong with the database', async () => {
  const url = await postgres.database()
  const results = await Promise.all([
    runCli(['--store', 'postgres://127.0.0.1:1/x', 'users', 'ls']),
    runCli(['--store', 'nonsense', 'users', 'ls']),
    runCli(['--store', url, 'users', 'ls']),
    runCli(['users', 'ls'], { env: { FILEMGR_STORE: `${url}none` } }),
  ])
  expect(results.map(({ code }) => code)).toEqual([6, 2, 3, 6])
  for (const { stderr } of results) expect(stderr.trim().split('\n')).toHaveLength(1)
})
