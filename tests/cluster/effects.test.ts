import { readdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { machinesOfFile, type Machines, SOON } from './machines.ts'

const { postgres, machines } = machinesOfFile()

const CLIENTS = 6
const INCREMENTS = 150
const ROUNDS = 25

/** Reads a number and saves the next one, unless somebody else has meanwhile. @returns whether it was saved */
async function increment(cluster: Machines, daemon: TestDaemon): Promise<boolean> {
  const read = await cluster.ask(daemon, 'api/raw/counter.txt')
  const next = Number(await read.text()) + 1
  const headers = { 'if-match': read.headers.get('etag') ?? '' }
  const saved = await cluster.ask(daemon, 'api/resources/counter.txt', { method: 'PUT', headers, body: String(next) })
  if (!saved.ok) expect(saved.status).toBe(412)
  return saved.ok
}

const change = async (cluster: Machines, daemon: TestDaemon, method: string, path: string) =>
  (await cluster.ask(daemon, `api/resources${path}`, { method })).status

const renameTo = (from: string, to: string) =>
  `${from}?action=rename&override=true&destination=${encodeURIComponent(to)}`

describe('two daemons on one disk', () => {
  it('lose no update that they acknowledge', async () => {
    await using cluster = await machines({ files: { 'counter.txt': '0' } })
    let saved = 0
    const client = async (_: unknown, number: number) => {
      const daemon = number % 2 === 0 ? cluster.one : cluster.other
      while (saved < INCREMENTS) if (await increment(cluster, daemon)) saved += 1
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    expect(Number(await readFile(cluster.files.at('counter.txt'), 'utf8'))).toBe(saved)
  })

  it('let one of several renames of a file, and of its trashing and deletion, win', async () => {
    await using cluster = await machines()
    const { one, other, files } = cluster
    for (let round = 0; round < ROUNDS; round += 1) {
      await writeFile(files.at('new.txt'), String(round))
      await writeFile(files.at('taken.txt'), 'another')
      const statuses = await Promise.all([
        change(cluster, one, 'PATCH', renameTo('/new.txt', '/a.txt')),
        change(cluster, other, 'PATCH', renameTo('/new.txt', '/b.txt')),
        change(cluster, one, 'PATCH', renameTo('/new.txt', '/taken.txt')),
        change(cluster, other, 'PATCH', renameTo('/new.txt', '/c.txt')),
        change(cluster, one, 'DELETE', '/new.txt'),
        change(cluster, other, 'DELETE', '/new.txt?trash=true'),
      ])
      const left = (await readdir(files.path)).filter((name) => name.endsWith('.txt'))
      const contents = await Promise.all(left.map(async (name) => await readFile(files.at(name), 'utf8')))
      expect(
        statuses.filter((status) => status < 300),
        statuses.join(),
      ).toHaveLength(1)
      for (const status of statuses) expect([200, 204, 404, 409]).toContain(status)
      expect(contents.filter((content) => content === String(round)).length, left.join()).toBeLessThanOrEqual(1)
      for (const name of left) await change(cluster, one, 'DELETE', `/${name}`)
    }
  })

  it('refuse to save while the database is away, and keep the old file', async () => {
    await using cluster = await machines({ files: { 'a.txt': 'old' } })
    const save = async (body: string) => await cluster.ask(cluster.one, 'api/resources/a.txt', { method: 'PUT', body })
    expect((await save('older')).status).toBe(200)
    await postgres().stop()
    const refused = await save('new')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await readFile(cluster.files.at('a.txt'), 'utf8')).toBe('older')
    await postgres().start()
    await vi.waitFor(async () => expect((await save('new')).status).toBe(200), SOON)
  })
})
