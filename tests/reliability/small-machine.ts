import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { RawSocket } from '../helpers/api/raw-socket.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { type MemoryGroup, memoryGroup } from '../helpers/memory-group.ts'
import { zipFile } from '../helpers/samples/zip-file.ts'
import { type TempFolder, tempFolder } from '../helpers/temp-folder.ts'
import { memoryOf, percentile, startRequest } from '../load/load-clients.ts'

const MEBIBYTE = 1024 * 1024
const ENTRIES = 100_000
const ZIPS = 10
const PICTURES = 6
const IDLE_CLIENTS = 300
const SLOW_UPLOADS = 60
/** Milliseconds that the load lasts at least. */
const LASTS = 30_000
/** Milliseconds after which kept threads have ended, and caches of an idle daemon are empty. */
const REST = 60_000
/** MiB of the process of the daemon, after the rest. */
const MAX_IDLE = 200

export interface SmallMachineReport {
  /** MiB of the control group. */
  readonly size: number
  /** MiB of the daemon: the most, and after the rest. */
  readonly memory: { readonly most: number; readonly idle: number }
  /** Milliseconds of the small requests during the load. */
  readonly probes: { readonly count: number; readonly median: number; readonly slowest: number }
  /** How many requests ended with what. */
  readonly answers: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

/** Everything that takes memory at once, against a daemon in a control group. It lives, and refuses what has no room. */
export async function runSmallMachine(size: number, root: string): Promise<SmallMachineReport> {
  const report = { size, memory: { most: 0, idle: 0 }, probes: { count: 0, median: 0, slowest: 0 }, answers: {} }
  let made: MemoryGroup
  try {
    made = memoryGroup(`${size}`, size * MEBIBYTE)
  } catch (error) {
    return { ...report, problems: [`not run: ${(error as Error).message}`] }
  }
  using group = made
  await using cache = await tempFolder()
  removeUploads(root)
  await using daemon = await startTestDaemon({ root, group, args: ['--cache-dir', cache.path] })
  const load = new Load(daemon)
  await load.run()
  const problems = [...load.problems]
  if (group.kills() > 0) problems.push(`the kernel has killed ${group.kills()} process(es) for their memory`)
  let idle = 0
  if (!load.hasEnded) {
    problems.push(...(await worksAgain(daemon)))
    await sleep(REST)
    idle = Math.round(await memoryOf(daemon.pid))
    if (idle > MAX_IDLE) problems.push(`after ${REST / 1000} s without work the daemon still has ${idle} MiB`)
  }
  const times = load.times.toSorted((a, b) => a - b)
  return {
    size,
    memory: { most: load.mostMemory, idle },
    probes: { count: times.length, median: percentile(times, 0.5), slowest: times.at(-1) ?? 0 },
    answers: Object.fromEntries([...load.answers].toSorted(([one], [other]) => one.localeCompare(other))),
    problems,
  }
}

/** Those of an earlier run. */
function removeUploads(root: string): void {
  for (const name of ['uploads', 'after.txt']) rmSync(join(root, name), { recursive: true, force: true })
  mkdirSync(join(root, 'uploads'))
}

/** Zips with long names, a folder of 100,000, pictures of 100 megapixels, and a large file. */
export async function largeFolder(): Promise<TempFolder> {
  const folder = await tempFolder({ 'small.txt': 'small', 'many/': '', 'uploads/': '', 'pictures/': '' })
  const names = Array.from({ length: ENTRIES - 1000 }, (_, i) => ({ name: `${i}-`.padEnd(160, 'n'), stored: true }))
  const zip = zipFile(names, true)
  for (let i = 0; i < ZIPS; i += 1) writeFileSync(folder.at(`${i}.zip`), zip)
  for (let i = 0; i < ENTRIES; i += 1) writeFileSync(folder.at(`many/${i}-${'name of a file '.repeat(6)}.txt`), '')
  const picture = await sharp({ create: { width: 9999, height: 9999, channels: 3, background: 'red' } })
    .jpeg({ progressive: true })
    .toBuffer()
  for (let i = 0; i < PICTURES; i += 1)
    writeFileSync(folder.at(`pictures/${i}.jpg`), Buffer.concat([picture, Buffer.from([i])]))
  writeFileSync(folder.at('large.bin'), Buffer.alloc(256 * MEBIBYTE, 'large '))
  return folder
}

/** Requests of one user. */
class Load {
  readonly answers = new Map<string, number>()
  readonly problems: string[] = []
  readonly times: number[] = []
  mostMemory = 0
  hasEnded = false
  readonly #daemon: TestDaemon
  #end = 0
  #isOver = false

  constructor(daemon: TestDaemon) {
    this.#daemon = daemon
    void daemon.ended().then(({ code, signal }) => {
      this.hasEnded = true
      if (!this.#isOver) this.problems.push(`the daemon ended: ${signal ?? `exit code ${code}`}`)
    })
  }

  async run(): Promise<void> {
    this.#end = Date.now() + LASTS
    const probing = [this.#probe('api/raw/small.txt'), this.#probe('health')]
    const held = await this.#hold()
    await Promise.all([
      ...Array.from(
        { length: ZIPS },
        async (_, zip) => await this.#repeat('zip', `api/archives/${zip}.zip?inside=%2F`),
      ),
      ...Array.from({ length: 4 }, async () => await this.#repeat('listing', 'api/resources/many')),
      ...Array.from({ length: 3 }, async (_, i) => await this.#repeat('search', `api/search/?query=${i}-name`)),
      ...Array.from(
        { length: PICTURES },
        async (_, i) => await this.#repeat('preview', `api/preview/big/pictures/${i}.jpg`),
      ),
      ...Array.from({ length: 4 }, async () => await this.#repeat('download', 'api/raw/many?algo=zip')),
      ...Array.from(
        { length: 2 },
        async () => await this.#repeat('download.zst', 'api/raw/?files=large.bin&algo=tarzst'),
      ),
      ...Array.from(
        { length: 2 },
        async () => await this.#repeat('checksum', 'api/resources/large.bin?checksum=sha256'),
      ),
      ...Array.from({ length: 8 }, async (_, i) => await this.#upload(i)),
    ])
    for (const client of held) client[Symbol.dispose]()
    this.#isOver = true
    await Promise.all(probing)
  }

  /** Clients that have asked once, and uploads that send a few bytes now and then after a first mebibyte. */
  async #hold(): Promise<RawSocket[]> {
    const idle = Array.from({ length: IDLE_CLIENTS }, async () => await startRequest(this.#daemon, 'GET /health'))
    const head = { 'Content-Length': String(64 * MEBIBYTE) }
    const slow = Array.from({ length: SLOW_UPLOADS }, async (_, i) => {
      const client = await startRequest(this.#daemon, `POST /api/resources/uploads/slow-${i}`, head)
      client.socket.write(Buffer.alloc(MEBIBYTE))
      const more = setInterval(() => client.socket.write(Buffer.alloc(1024)), 500)
      void client.closed.then(() => clearInterval(more))
      return client
    })
    return await Promise.all([...idle, ...slow])
  }

  async #repeat(name: string, path: string, init: RequestInit = {}): Promise<void> {
    do await this.#ask(name, path, init)
    while (Date.now() < this.#end && !this.hasEnded)
  }

  /** Resumable uploads of 8 MiB in one part. */
  async #upload(number: number): Promise<void> {
    for (let turn = 0; Date.now() < this.#end && !this.hasEnded; turn += 1) {
      const path = `api/tus/uploads/tus-${number}-${turn}`
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(8 * MEBIBYTE) }
      await this.#ask('tus', path, { method: 'POST', headers })
      const type = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0', 'Tus-Resumable': '1.0.0' }
      await this.#ask('tus part', path, { method: 'PATCH', headers: type, body: Buffer.alloc(8 * MEBIBYTE) })
    }
  }

  async #ask(name: string, path: string, init: RequestInit): Promise<void> {
    const answer = await answerOf(this.#daemon, path, init)
    this.#count(`${name} ${answer.status}`)
    if (isWrong(answer)) this.#complain(`${name}: ${answer.status} ${answer.text}`)
    if (answer.status === 503) await sleep(500)
  }

  async #probe(path: string): Promise<void> {
    while (!this.#isOver && !this.hasEnded) {
      const started = performance.now()
      const { status, text } = await answerOf(this.#daemon, path, {})
      this.times.push(performance.now() - started)
      if (status !== 200) this.#complain(`${path} during the load: ${status} ${text}`)
      this.mostMemory = Math.max(this.mostMemory, residentOf(this.#daemon.pid))
      await sleep(50)
    }
  }

  #count(name: string): void {
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
  }

  #complain(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}

interface Answer {
  /** 0 if the connection broke. */
  readonly status: number
  readonly retryAfter: string | null
  /** Its beginning, or why there is none. */
  readonly text: string
}

async function answerOf(daemon: TestDaemon, path: string, init: RequestInit): Promise<Answer> {
  let [status, retryAfter]: [number, string | null] = [0, null]
  try {
    const answer = await daemon.fetch(path, init)
    retryAfter = answer.headers.get('retry-after')
    let text = ''
    for await (const part of answer.body ?? [])
      if (text.length < 200) text += Buffer.from(part).toString('latin1', 0, 200)
    status = answer.status
    return { status, retryAfter, text: status < 400 ? '' : text.trim() }
  } catch (error) {
    return { status, retryAfter, text: (error as Error).message }
  }
}

/** A refusal for want of memory is 413, or 503 with the time of the next try. */
function isWrong({ status, retryAfter }: Answer): boolean {
  return status === 0 || (status === 503 && retryAfter === null) || (status >= 500 && status !== 503)
}

/** One of each after the load. */
async function worksAgain(daemon: TestDaemon): Promise<string[]> {
  const problems: string[] = []
  await sleep(2000)
  const paths = [
    'api/resources/many',
    'api/raw/many?algo=zip',
    'api/resources/large.bin?checksum=md5',
    'api/raw/large.bin',
  ]
  for (const path of paths) {
    const { status, text } = await answerOf(daemon, path, {})
    if (status !== 200 && status !== 413) problems.push(`${path} after the load: ${status} ${text}`)
  }
  const put = await answerOf(daemon, 'api/resources/after.txt', { method: 'POST', body: 'after' })
  if (put.status !== 200) problems.push(`an upload after the load: ${put.status} ${put.text}`)
  return problems
}

/** MiB; 0 if it has just ended. */
function residentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
