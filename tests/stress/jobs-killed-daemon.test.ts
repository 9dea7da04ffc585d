import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/domain/automation/job.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { storeWithToken } from '../helpers/cli/test-store.ts'
import { folderOnOtherDisk } from '../helpers/disks/other-disk.ts'
import { isLong } from '../helpers/stress-size.ts'

const FOLDERS = 10
const FILES = isLong ? 400 : 60
const KILLS = isLong ? 10 : 3
/** Milliseconds that a job gets before the daemon is killed, at most. */
const LATEST_KILL = 400
const RENAMED = 500
const OVER = ['done', 'failed', 'cancelled']

const contentOf = (name: string) => `${name} `.repeat(200)

type TokenStore = Awaited<ReturnType<typeof storeWithToken>>

/** A daemon that can be killed and started again, with a folder of another disk in its files, `/disk`. */
class World implements AsyncDisposable {
  readonly #store: TokenStore
  readonly #other: ReturnType<typeof folderOnOtherDisk>
  #daemon: TestDaemon | undefined

  private constructor(store: TokenStore, other: ReturnType<typeof folderOnOtherDisk>) {
    this.#store = store
    this.#other = other
  }

  static async open(): Promise<World> {
    const world = new World(await storeWithToken({}, { followExternalSymlinks: true }), folderOnOtherDisk())
    symlinkSync(world.#other.path, world.at('disk'))
    return world
  }

  at(name: string): string {
    return join(this.#store.root, name)
  }

  async start(): Promise<void> {
    this.#daemon = await startTestDaemon({ data: this.#store.data, root: this.#store.root })
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    await this.#daemon?.stop(signal)
  }

  async ask(method: string, url: string, body?: object): Promise<Response> {
    const headers = { 'X-Auth': this.#store.token, prefer: 'respond-async', 'content-type': 'application/json' }
    const options = body === undefined ? {} : { body: JSON.stringify(body) }
    return await fetch(new URL(url, this.#daemon?.url), { method, headers, ...options })
  }

  async begin(method: string, url: string, body?: object): Promise<string> {
    const answer = await this.ask(method, url, body)
    expect(answer.status, await answer.clone().text()).toBe(202)
    return ((await answer.json()) as Job).id
  }

  /** The token of the tests, while no daemon runs. */
  async revokeToken(): Promise<void> {
    expect(await this.#store.run(['tokens', 'rm', 'token-of-tests', '--yes'])).toMatchObject({ code: 0 })
  }

  /** Puts files among the records of jobs. */
  leave(files: Readonly<Record<string, string>>): void {
    const folder = join(this.#store.data, 'jobs')
    mkdirSync(folder)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  }

  unfinished(): string[] {
    // A killed daemon may leave a temporary file, which the next record removes.
    return readdirSync(join(this.#store.data, 'jobs')).filter((name) => !name.endsWith('.tmp'))
  }

  async job(id: string): Promise<Job | undefined> {
    const answer = await this.ask('GET', `api/jobs/${id}`)
    return answer.ok ? ((await answer.json()) as Job) : undefined
  }

  /** Kills the daemon several times while it works on a job, and starts it again. @returns the job once it is over */
  async killedDuring(id: string): Promise<Job | undefined> {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await setTimeout(randomInt(LATEST_KILL))
      expect((await this.job(id))?.error?.code ?? 'CANCELLED').toBe('CANCELLED')
      await this.stop('SIGKILL')
      const isUnfinished = existsSync(join(this.#store.data, `jobs/${id}.json`))
      await this.start()
      if (isUnfinished) expect(await this.job(id)).toMatchObject({ id })
    }
    return await this.over(id)
  }

  async over(id: string): Promise<Job | undefined> {
    await expect.poll(async () => OVER.includes((await this.job(id))?.state ?? 'done'), { interval: 50 }).toBe(true)
    await expect.poll(() => this.unfinished()).toEqual([])
    return await this.job(id)
  }

  fill(folder: string): void {
    for (const name of treeNames()) {
      mkdirSync(join(this.at(folder), name, '..'), { recursive: true })
      writeFileSync(join(this.at(folder), name), contentOf(name))
    }
  }

  expectTree(folder: string): void {
    const found = readdirSync(this.at(folder), { recursive: true, withFileTypes: true })
      // Sweeps follow no link to the other disk, where a killed daemon leaves what it had not put in place.
      .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('.fm-tmp'))
      .map((entry) => join(entry.parentPath, entry.name).slice(this.at(folder).length + 1))
    expect(found.toSorted()).toEqual(treeNames().toSorted())
    for (const name of found) expect(readFileSync(join(this.at(folder), name), 'utf8') === contentOf(name)).toBe(true)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon?.[Symbol.asyncDispose]()
    this.#other[Symbol.dispose]()
    await this.#store[Symbol.asyncDispose]()
  }
}

function treeNames(): string[] {
  return Array.from({ length: FOLDERS * FILES }, (_, index) => `${index % FOLDERS}/${Math.floor(index / FOLDERS)}`)
}

async function begun(): Promise<World> {
  const world = await World.open()
  world.fill('from')
  await world.start()
  return world
}

describe(`a job during which the daemon is killed ${KILLS} times`, () => {
  it('copies a folder to another disk', async () => {
    await using world = await begun()
    const id = await world.begin('PATCH', 'api/resources/from?action=copy&destination=%2Fdisk%2Fto')
    expect((await world.killedDuring(id))?.error).toBeUndefined()
    world.expectTree('from')
    world.expectTree('disk/to')
  })

  it('moves a folder to another disk', async () => {
    await using world = await begun()
    const id = await world.begin('PATCH', 'api/resources/from?action=rename&destination=%2Fdisk%2Fto')
    expect((await world.killedDuring(id))?.error).toBeUndefined()
    world.expectTree('disk/to')
    expect(existsSync(world.at('from'))).toBe(false)
  })

  it('moves a folder into another that has some of its folders', async () => {
    await using world = await begun()
    for (let folder = 0; folder < FOLDERS; folder += 2) mkdirSync(world.at(`disk/to/${folder}`), { recursive: true })
    const query = 'action=rename&destination=%2Fdisk%2Fto&override=true'
    const id = await world.begin('PATCH', `api/resources/from?${query}`)
    expect((await world.killedDuring(id))?.error).toBeUndefined()
    world.expectTree('disk/to')
    expect(existsSync(world.at('from'))).toBe(false)
  })

  it('deletes a folder', async () => {
    await using world = await begun()
    const id = await world.begin('DELETE', 'api/resources/from')
    expect((await world.killedDuring(id))?.error).toBeUndefined()
    expect(existsSync(world.at('from'))).toBe(false)
  })

  it('moves a folder of another disk to the trash, and restores it', async () => {
    await using world = await begun()
    world.fill('disk/from')
    const id = await world.begin('DELETE', 'api/resources/disk/from?trash=true')
    expect((await world.killedDuring(id))?.error).toBeUndefined()
    expect(existsSync(world.at('disk/from'))).toBe(false)
    const items = (await (await world.ask('GET', 'api/trash')).json()) as { id: string }[]
    expect(items).toHaveLength(1)
    const restored = await world.begin('POST', `api/trash/${items[0]?.id ?? ''}`)
    expect((await world.killedDuring(restored))?.error).toBeUndefined()
    world.expectTree('disk/from')
    expect(await (await world.ask('GET', 'api/trash')).json()).toEqual([])
  })

  it('compresses and extracts a folder', async () => {
    await using world = await begun()
    const names = readdirSync(world.at('from'))
    const id = await world.begin('POST', 'api/compress/from', { names, destination: '/a.tar.gz' })
    expect((await world.killedDuring(id))?.error).toBeUndefined()
    execFileSync('tar', ['-tzf', world.at('a.tar.gz')])
    const extracted = await world.begin('POST', 'api/extract/a.tar.gz', { destination: '/disk' })
    expect((await world.killedDuring(extracted))?.error).toBeUndefined()
    world.expectTree('disk/a')
  })

  it('extracts over existing files, or puts them all back if the right to do so is gone by then', async () => {
    await using world = await begun()
    const id = await world.begin('POST', 'api/compress/from', { names: ['0', '1', '2', '3'], destination: '/a.tar.gz' })
    expect((await world.over(id))?.error).toBeUndefined()
    const old = () => {
      for (const name of treeNames()) writeFileSync(world.at(`from/${name}`), 'old')
    }
    old()
    const request = { destination: '/from', override: true, items: ['/0', '/1', '/2', '/3'] }
    const extracted = await world.begin('POST', 'api/extract/a.tar.gz', request)
    expect((await world.killedDuring(extracted))?.error).toBeUndefined()
    const texts = () => treeNames().map((name) => readFileSync(world.at(`from/${name}`), 'utf8'))
    expect(texts()).toEqual(treeNames().map((name) => (Number(name[0]) < 4 ? contentOf(name) : 'old')))
    old()
    await world.begin('POST', 'api/extract/a.tar.gz', request)
    await killedWhilePlacing(world)
    expect(new Set(texts()).size).toBeGreaterThan(1)
    await world.revokeToken()
    await world.start()
    await expect.poll(() => hiddenIn(world.at('from'))).toEqual([])
    expect(texts()).toEqual(treeNames().map(() => 'old'))
  })
})

function hiddenIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.fm-tmp'))
}

async function killedWhilePlacing(world: World): Promise<void> {
  const isPlacing = () =>
    readFileSync(world.at('from/0/0'), 'utf8') !== 'old' || readFileSync(world.at('from/3/0'), 'utf8') !== 'old'
  await expect.poll(isPlacing, { interval: 1 }).toBe(true)
  await world.stop('SIGKILL')
}

it('the daemon starts despite damaged and newer records of jobs, and keeps them', async () => {
  await using world = await World.open()
  const text = JSON.stringify({ version: 2, id: 'newer' })
  world.leave({ 'newer.json': text, 'damaged.json': '{"version":1' })
  await world.start()
  expect((await world.ask('GET', 'api/jobs')).status).toBe(200)
  expect(world.unfinished().toSorted()).toEqual(['damaged.json.unreadable', 'newer.json.unreadable'])
})

describe(`a batch rename of ${RENAMED} files in cycles`, () => {
  const names = Array.from({ length: RENAMED }, (_, index) => `n${index}`)
  /** A cycle of 300, and a hundred swaps. */
  const renames = names.map((from, index) => {
    const to = index < 300 ? (index + 1) % 300 : index % 2 === 0 ? index + 1 : index - 1
    return { from, to: `n${to}` }
  })

  async function withFiles(): Promise<World> {
    const world = await World.open()
    mkdirSync(world.at('p'))
    for (const name of names) writeFileSync(world.at(`p/${name}`), name)
    await world.start()
    return world
  }

  const presentIn = (world: World) =>
    readdirSync(world.at('p'))
      .map((name) => ({ from: readFileSync(world.at(`p/${name}`), 'utf8'), to: name }))
      .toSorted((one, other) => one.from.localeCompare(other.from))
  const inOrder = (all: { from: string; to: string }[]) =>
    all.toSorted((one, other) => one.from.localeCompare(other.from))
  const unchanged = names.map((name) => ({ from: name, to: name }))

  it('is finished after the daemon was killed', async () => {
    await using world = await withFiles()
    const id = await world.begin('POST', 'api/rename/p', { renames })
    const job = await world.killedDuring(id)
    expect(job?.renames?.failed ?? []).toEqual([])
    expect(presentIn(world)).toEqual(inOrder(renames))
  })

  it('ends with the daemon within eight seconds, and is finished by the next one', async () => {
    await using world = await withFiles()
    const id = await world.begin('POST', 'api/rename/p', { renames })
    await setTimeout(200)
    const stopped = performance.now()
    await world.stop('SIGTERM')
    expect(performance.now() - stopped).toBeLessThan(8000)
    expect(presentIn(world)).not.toEqual(inOrder(renames))
    await world.start()
    expect(await world.over(id)).toMatchObject({ state: 'done', renames: { failed: [] } })
    expect(presentIn(world)).toEqual(inOrder(renames))
  })

  it('is undone when it is cancelled, even if the daemon is killed meanwhile', async () => {
    await using world = await withFiles()
    const id = await world.begin('POST', 'api/rename/p', { renames })
    await setTimeout(200)
    await world.ask('DELETE', `api/jobs/${id}`)
    await world.killedDuring(id)
    expect(presentIn(world)).toEqual(inOrder(unchanged))
  })

  it('is undone if its token was revoked while the daemon was down', async () => {
    await using world = await withFiles()
    const id = await world.begin('POST', 'api/rename/p', { renames })
    await setTimeout(200)
    await world.stop('SIGKILL')
    expect(presentIn(world)).not.toEqual(inOrder(unchanged))
    await world.revokeToken()
    await world.start()
    await expect.poll(() => world.unfinished()).toEqual([])
    expect(id).toBeDefined()
    expect(presentIn(world)).toEqual(inOrder(unchanged))
  })
})
