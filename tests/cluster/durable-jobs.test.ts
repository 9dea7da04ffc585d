import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isOver, type Job } from '../../src/domain/automation/job.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { folderOnOtherDisk } from '../helpers/disks/other-disk.ts'
import { type Machines, machinesOfFile } from './machines.ts'

const { postgres, machines } = machinesOfFile()

const FILES = 600
const TEXT = 'content '.repeat(2000)
const RENAMED = 500
const WAIT = { timeout: 300_000, interval: 100 }

/** What may happen to the daemon that works on a job. */
const FATES = ['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const
type Fate = (typeof FATES)[number]

/**
 * The size of the file whose checksum is computed. For SIGTERM it takes longer than a daemon that was asked to stop goes on
 * serving, however fast the machine is; the other signals stop it at once.
 */
const SPARSE: Record<Fate, number> = { SIGKILL: 500_000_000, SIGTERM: 5_000_000_000, SIGSTOP: 500_000_000 }

const names = Array.from({ length: FILES }, (_, index) => `${index % 10}/${index}`).toSorted()
const renames = Array.from({ length: RENAMED }, (_, index) => ({ from: `n${index}`, to: `n${(index + 1) % RENAMED}` }))

/** Two daemons on one disk, with a folder of another disk in it. */
class World implements AsyncDisposable {
  readonly #cluster: Machines
  readonly #other = folderOnOtherDisk()

  private constructor(cluster: Machines) {
    this.#cluster = cluster
    symlinkSync(this.#other.path, this.at('disk'))
  }

  static async open(): Promise<World> {
    return new World(await machines({ env: { FILEMGR_FOLLOW_EXTERNAL_SYMLINKS: 'true' } }))
  }

  at(path: string): string {
    return this.#cluster.files.at(path)
  }

  get one(): TestDaemon {
    return this.#cluster.one
  }

  get other(): TestDaemon {
    return this.#cluster.other
  }

  fill(folder: string): void {
    for (const name of names) {
      mkdirSync(join(this.at(folder), name, '..'), { recursive: true })
      writeFileSync(join(this.at(folder), name), `${name} ${TEXT}`)
    }
  }

  /** The paths of a folder that are missing, surplus or not whole. */
  wrongIn(folder: string): string[] {
    const found = readdirSync(this.at(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('.fm-tmp'))
      .map((entry) => join(entry.parentPath, entry.name).slice(this.at(folder).length + 1))
    const isWhole = (name: string) => readFileSync(join(this.at(folder), name), 'utf8') === `${name} ${TEXT}`
    return [...new Set(names).symmetricDifference(new Set(found)), ...found.filter((name) => !isWhole(name))]
  }

  /** Adds a user, since few jobs of one user run at the same time. @returns what asks the first daemon in their name */
  async userWith(name: string): Promise<(method: string, path: string, body?: object) => Promise<Response>> {
    const perm = { admin: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
    const data = { username: name, password: 'a long passphrase', scope: '/', perm }
    const { one } = this
    const body = JSON.stringify({ what: 'user', which: [], current_password: one.password, data })
    const added = await one.fetch('/api/users', { method: 'POST', body })
    expect(added.status, await added.clone().text()).toBe(201)
    const credentials = JSON.stringify({ username: name, password: data.password })
    const token = await (await fetch(new URL('api/login', one.url), { method: 'POST', body: credentials })).text()
    const headers = { 'x-auth': token, prefer: 'respond-async', 'content-type': 'application/json' }
    return async (method, path, more) =>
      await fetch(new URL(path, one.url), { method, headers, ...(more && { body: JSON.stringify(more) }) })
  }

  async jobs(daemon: TestDaemon): Promise<Job[]> {
    return (await (await this.#cluster.ask(daemon, 'api/jobs?all=true')).json()) as Job[]
  }

  async unfinished(): Promise<string> {
    const query = "SELECT count(*) FROM filemgr_records WHERE kind = 'unfinished'"
    return await postgres().query(this.#cluster.url, query)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster[Symbol.asyncDispose]()
    this.#other[Symbol.dispose]()
  }
}

type Ask = Awaited<ReturnType<World['userWith']>>

const OPERATIONS: Readonly<Record<string, (ask: Ask) => Promise<Response>>> = {
  copy: async (ask) => await ask('PATCH', 'api/resources/copied?action=copy&destination=%2Fdisk%2Fcopy'),
  move: async (ask) => await ask('PATCH', 'api/resources/moved?action=rename&destination=%2Fdisk%2Fmoved'),
  delete: async (ask) => await ask('DELETE', 'api/resources/deleted'),
  trash: async (ask) => await ask('DELETE', 'api/resources/disk/trashed?trash=true'),
  restore: async (ask) => {
    const [item] = (await (await ask('GET', 'api/trash')).json()) as { id: string }[]
    return await ask('POST', `api/trash/${item?.id ?? ''}`)
  },
  compress: async (ask) => {
    const items = Array.from({ length: 10 }, (_, index) => String(index))
    return await ask('POST', 'api/compress/packed', { names: items, destination: '/packed.tar.gz' })
  },
  extract: async (ask) => await ask('POST', 'api/extract/archived.tar.gz', { destination: '/disk' }),
  rename: async (ask) => await ask('POST', 'api/rename/renamed', { renames }),
  checksum: async (ask) => await ask('GET', 'api/resources/sparse?checksum=sha512'),
}

/** Begins a job of each kind at the first daemon, for a user each. */
async function beginAll(world: World, fate: Fate): Promise<string[]> {
  for (const folder of ['copied', 'moved', 'deleted', 'disk/trashed', 'disk/restored', 'packed', 'archived'])
    world.fill(folder)
  mkdirSync(world.at('renamed'))
  writeFileSync(world.at('sparse'), '')
  truncateSync(world.at('sparse'), SPARSE[fate])
  for (const { from } of renames) writeFileSync(world.at(`renamed/${from}`), from)
  execFileSync('tar', ['-czf', 'archived.tar.gz', 'archived'], { cwd: world.at('') })
  const users = new Map<string, Ask>()
  for (const name of Object.keys(OPERATIONS)) users.set(name, await world.userWith(name))
  await users.get('restore')?.('DELETE', 'api/resources/disk/restored?trash=true')
  await expect.poll(async () => (await world.jobs(world.one)).every(isOver), WAIT).toBe(true)
  const begun = [...users].map(async ([name, ask]) => {
    const answer = await OPERATIONS[name]?.(ask)
    expect(answer?.status, await answer?.clone().text()).toBe(202)
    return ((await answer?.json()) as Job).id
  })
  return await Promise.all(begun)
}

async function expectAllDone(world: World): Promise<void> {
  for (const folder of ['copied', 'disk/copy', 'disk/moved', 'disk/restored', 'disk/archived'])
    expect([folder, world.wrongIn(folder)]).toEqual([folder, []])
  for (const folder of ['moved', 'deleted', 'disk/trashed'])
    expect([folder, existsSync(world.at(folder))]).toEqual([folder, false])
  execFileSync('tar', ['-xzf', 'packed.tar.gz', '--one-top-level=unpacked'], { cwd: world.at('') })
  expect(world.wrongIn('unpacked')).toEqual([])
  const [trashed, ...others] = readdirSync(world.at('.filemgr-trash')).flatMap((owner) =>
    readdirSync(world.at(`.filemgr-trash/${owner}`)).map((id) => `.filemgr-trash/${owner}/${id}/content`),
  )
  expect(others).toEqual([])
  expect(world.wrongIn(trashed ?? '')).toEqual([])
  const renamed = readdirSync(world.at('renamed')).map((to) => ({
    from: readFileSync(world.at(`renamed/${to}`), 'utf8'),
    to,
  }))
  expect(new Set(renamed.map(({ from, to }) => `${from} ${to}`))).toEqual(
    new Set(renames.map(({ from, to }) => `${from} ${to}`)),
  )
}

it.each(FATES)('jobs of all kinds are ended by another daemon when theirs gets %s', async (fate) => {
  await using world = await World.open()
  const { one, other } = world
  const ids = await beginAll(world, fate)
  await pause(50)
  const own = async (daemon: TestDaemon) => (await world.jobs(daemon)).filter(({ id }) => ids.includes(id))
  const unfinished = (await own(one)).filter((job) => !isOver(job))
  expect(unfinished.length).toBeGreaterThan(4)
  if (fate === 'SIGSTOP') process.kill(one.pid, fate)
  else await one.stop(fate)
  await expect.poll(async () => (await own(other)).every(isOver), WAIT).toBe(true)
  const ended = await own(other)
  expect(ended.filter(({ state }) => state !== 'done')).toEqual([])
  expect(ended).toHaveLength(ids.length)
  await expectAllDone(world)
  if (fate === 'SIGSTOP') {
    process.kill(one.pid, 'SIGCONT')
    // The daemon that wakes up shows the states of the other one, and changes nothing.
    const inOrder = (jobs: Job[]) => jobs.toSorted((a, b) => a.id.localeCompare(b.id))
    await expect.poll(async () => inOrder(await own(one)), WAIT).toEqual(inOrder(ended))
    await pause(2000)
    await expectAllDone(world)
    expect(inOrder(await own(other))).toEqual(inOrder(ended))
  }
  expect(await world.unfinished()).toBe('0')
  const { stderr } = await other.stop()
  const resumed = stderr.split('an interrupted job goes on').length - 1
  expect(resumed).toBeGreaterThan(fate === 'SIGTERM' ? 0 : 2)
})
