import { hostname } from 'node:os'
import { expect, it, vi } from 'vitest'
import type { AuditEntry, AuditPage } from '../../src/domain/server/audit.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { machinesOfFile, SOON, TAKEOVER } from './machines.ts'

const { machines, postgres } = machinesOfFile()

it('one activity log has the entries of all daemons, also of a dead one', async () => {
  await using world = await machines({ count: 3 })
  const { all, env, data } = world
  const nameOf = (index: number) => `${hostname()}:${new URL(all[index]?.url ?? '').port}`
  const logs = async (...words: string[]) =>
    await runCli(['--data', data.at('one'), 'logs', '--audit', '--all', ...words], { env })
  const saved = async () => {
    const { stdout } = await logs('--target', '.txt', '--json')
    const lines = stdout.split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as AuditEntry).map(({ daemon, target }) => ({ daemon, target }))
  }

  for (const [index, daemon] of all.entries()) {
    const reply = await world.ask(daemon, `api/resources/${index}.txt`, { method: 'POST', body: 'x' })
    expect(reply.status, await reply.text()).toBe(200)
  }
  const written = all.map((_, index) => ({ daemon: nameOf(index), target: `/${index}.txt` }))
  await vi.waitFor(async () => expect(await saved()).toEqual(written), SOON)
  expect((await logs()).stderr).toBe('')

  await all[2]?.stop('SIGKILL')
  expect(await saved()).toEqual(written)
  const silent = new RegExp(`^filemgr: not heard of.*${new URL(all[2]?.url ?? '').port}[^\n]*\n$`)
  await vi.waitFor(async () => expect((await logs()).stderr).toMatch(silent), TAKEOVER)
  await runCli(['--data', data.at('other'), 'users', 'add', 'bob', '--generate-password'], { env })
  const added = new RegExp(
    `^[-\\d]+ [:\\d]+ ${hostname()}:${new URL(world.other.url).port} operator .* bob( \\[.*)?\n$`,
  )
  await vi.waitFor(async () => expect((await logs('--lines', '1')).stdout).toMatch(added), SOON)

  const page = (await (await world.ask(world.other, 'api/audit?target=.txt')).json()) as AuditPage
  expect(page.entries.map(({ daemon, target }) => ({ daemon, target })).toReversed()).toEqual(written)
})

it('what is logged while the database is away is added afterwards, once', async () => {
  await using world = await machines({ files: { 'a.txt': 'a' }, env: { FILEMGR_STORE_OUTAGE: '60' } })
  const { one } = world
  const downloads = async () => {
    const reply = await world.ask(world.other, 'api/audit?action=downloads.raw')
    return reply.ok ? ((await reply.json()) as AuditPage).entries.length : undefined
  }
  expect((await world.ask(one, 'api/raw/a.txt')).status).toBe(200)
  await vi.waitFor(async () => expect(await downloads()).toBe(1), SOON)
  await postgres().stop()
  expect((await world.ask(one, 'api/raw/a.txt')).status).toBe(200)
  await postgres().start()
  await vi.waitFor(async () => expect(await downloads()).toBe(2), TAKEOVER)
})

it('the database keeps a bounded number of entries, for a bounded time', async () => {
  await using world = await machines({ files: { 'a.txt': 'a' } })
  const { url, one } = world
  const add = `INSERT INTO filemgr_audit (writer, number, time, daemon, entry) SELECT 'old', n, `
  const entry = `'gone', json_build_object('time', now(), 'who', 'x', 'action', 'x.x', 'outcome', 'done')`
  await postgres().query(url, `${add} now() - interval '91 days', ${entry} FROM generate_series(1, 10) AS n`)
  await postgres().query(url, `${add} now(), ${entry} FROM generate_series(11, 100500) AS n`)
  const count = async () => Number(await postgres().query(url, 'SELECT count(*) FROM filemgr_audit'))
  await vi.waitFor(async () => {
    expect((await world.ask(one, 'api/raw/a.txt')).status).toBe(200)
    expect(await count()).toBeLessThan(100_100)
  }, TAKEOVER)
  const old = "SELECT count(*) FROM filemgr_audit WHERE time < now() - interval '90 days'"
  expect(await postgres().query(url, old)).toBe('0')
})
