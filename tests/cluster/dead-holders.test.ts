import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { type Machines, machinesOfFile } from './machines.ts'

const { postgres, machines } = machinesOfFile()

const HELD = "SELECT string_agg(name || ' ' || fence, ',' ORDER BY name) FROM filemgr_leases WHERE until > now()"

const held = async ({ url }: Machines) => await postgres().query(url, HELD)
const holders = async ({ url }: Machines) =>
  await postgres().query(url, 'SELECT count(DISTINCT holder) FROM filemgr_leases WHERE until > now()')

it('the leases of a killed daemon are free long before they expire', async () => {
  await using cluster = await machines()
  await vi.waitFor(async () => expect(await holders(cluster)).toBe('2'), { timeout: 300_000, interval: 50 })
  await cluster.one.stop('SIGKILL')
  await vi.waitFor(async () => expect(await holders(cluster)).toBe('1'), { timeout: 8000, interval: 50 })
})

it('a daemon whose connections are cut keeps its leases', async () => {
  await using cluster = await machines()
  await vi.waitFor(async () => expect(await held(cluster)).toMatch(/chores.*node.*node.*run.*run/), {
    timeout: 300_000,
  })
  const before = await held(cluster)
  for (let cut = 0; cut < 3; cut += 1) {
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'filemgr'"
    await postgres().query(cluster.url, `${end} AND datname = current_database()`)
    await pause(1500)
  }
  expect(await held(cluster)).toBe(before)
})
