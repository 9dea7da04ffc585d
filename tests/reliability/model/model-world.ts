import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD } from '../../helpers/cheap-account.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { startS3Proxy } from '../../helpers/cluster/s3-proxy.ts'
import { startS3Server } from '../../helpers/cluster/s3-server.ts'
import { startPostgres, type TestPostgres } from '../../helpers/postgres.ts'
import { type TempFolder, tempFolder } from '../../helpers/temp-folder.ts'
import type { Answer } from '../world.ts'

/** A reply that takes longer counts as missing; the operation goes on. */
export const PATIENCE = 30_000

export interface Request {
  readonly body?: string | FormData
  readonly headers?: Readonly<Record<string, string>>
  /** As a visitor, without an account. */
  readonly visitor?: boolean
}

/** What can happen to one part of the world, while everything else goes on. */
export type Disturbance = () => Promise<void>

/** One daemon, or several with one database, that serve a folder in which `usb` is another disk, or a bucket. */
export interface ModelWorld extends AsyncDisposable {
  /** The folder in which the served files lie, also those of the bucket. */
  readonly root: string
  readonly daemons: number
  /** Asks one of the daemons. @returns status 0 if the connection broke or no answer came in time */
  ask(method: string, path: string, request?: Request): Promise<Answer>
  /** Asks each of the daemons. */
  askAll(path: string): Promise<Answer[]>
  /** By their names. */
  readonly disturbances: Readonly<Record<string, Disturbance>>
  /** The records of unfinished uploads, in any form: their hidden files may stay. */
  uploadRecords(): Promise<string>
  /** How many jobs and batch renames are not over, and will go on even if no daemon works on them now. */
  unfinishedJobs(): Promise<number>
  /** Kills or stops one of the daemons, and starts it again. */
  restart(index: number, signal: NodeJS.Signals): Promise<void>
}

export interface ModelWorldOptions {
  readonly daemons: number
  readonly storage: 'disk' | 's3'
  /** A file to which each request, its answer and each disturbance are added as lines. */
  readonly trace: string | undefined
}

/** Milliseconds: shorter than the daemons wait for a disk or a server, and longer than a lease of theirs lives. */
const FROZEN_STORAGE = 4000
const FROZEN_DAEMON = 20_000
/** Characters of an answer in a trace. */
const TRACED = 300

interface Served {
  /** For the option `root`. */
  readonly root: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly disturbances: Readonly<Record<string, Disturbance>>
}

export async function openModelWorld(
  { daemons: count, storage, trace }: ModelWorldOptions,
  random: () => number,
): Promise<ModelWorld> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder({ 'files/': '' }))
  const served = await (storage === 'disk' ? twoDisks : bucket)(folder, held, random)
  const postgres = count > 1 ? held.use(await startPostgres()) : undefined
  const store = await postgres?.database()
  const env = { ...served.env, ...(store !== undefined && { FILEMGR_STORE: store }) }
  const start = async (index: number) =>
    await startTestDaemon({ data: folder.at(`data${index}`), root: served.root, env })
  const daemons: TestDaemon[] = []
  held.defer(async () => {
    for (const daemon of daemons) await daemon[Symbol.asyncDispose]()
  })
  for (let index = 0; index < count; index += 1) daemons.push(await start(index))
  let token = daemons[0]?.token ?? ''
  const anyDaemon = () => Math.floor(random() * count)
  const write = (...words: readonly (string | number)[]) => {
    if (trace !== undefined) appendFileSync(trace, `${new Date().toISOString()} ${words.join(' ')}\n`)
  }

  const askAt = async (daemon: TestDaemon | undefined, method: string, path: string, request: Request = {}) => {
    const { body, headers = {}, visitor = false } = request
    const begun = new Date().toISOString()
    const noted = (answer: Answer): Answer => {
      if (method !== 'GET')
        write(begun, daemon?.pid ?? 0, method, path, answer.status, answer.text.slice(0, TRACED).replaceAll('\n', ' '))
      return answer
    }
    try {
      const answer = await fetch(new URL(path.replace(/^\//, ''), daemon?.url), {
        method,
        headers: { ...(!visitor && { 'X-Auth': token }), ...headers },
        signal: AbortSignal.timeout(PATIENCE),
        ...(body === undefined ? {} : { body }),
      })
      return noted({ status: answer.status, text: await answer.text(), headers: answer.headers })
    } catch {
      return noted({ status: 0, text: '', headers: new Headers() })
    }
  }
  const ask: ModelWorld['ask'] = async (method, path, request) =>
    await askAt(daemons[anyDaemon()], method, path, request)
  const signIn = async () => {
    const credentials = { username: daemons[0]?.username ?? 'admin', password: PASSWORD }
    token = (await ask('POST', '/api/login', { body: JSON.stringify(credentials) })).text
  }
  const restart: ModelWorld['restart'] = async (index, signal) => {
    write(signal, daemons[index]?.pid ?? 0)
    await daemons[index]?.stop(signal)
    daemons[index] = await start(index)
    if ((await ask('GET', '/api/resources/')).status === 401) await signIn()
  }
  const recordsOf = async (kind: string, name: string): Promise<string[]> => {
    if (postgres !== undefined && store !== undefined) {
      const found = await postgres.query(store, `SELECT data FROM filemgr_records WHERE kind = '${kind}'`)
      return found.split('\n').filter((line) => line !== '')
    }
    const records = folder.at(`data0/${name}`)
    return existsSync(records) ? readdirSync(records).map((each) => readFileSync(join(records, each), 'utf8')) : []
  }
  let database: Pick<TestPostgres, 'start' | 'stop'> | undefined = postgres
  const everything = held.move()
  return {
    root: served.folder,
    daemons: count,
    ask,
    restart,
    askAll: async (path) => await Promise.all(daemons.map(async (daemon) => await askAt(daemon, 'GET', path))),
    disturbances: {
      'kill -9': async () => await restart(anyDaemon(), 'SIGKILL'),
      restart: async () => await restart(anyDaemon(), 'SIGTERM'),
      ...served.disturbances,
      ...(postgres !== undefined && {
        'a frozen daemon': async () => await frozen(daemons[anyDaemon()]?.pid ?? 0, FROZEN_DAEMON),
        'a crash of the database': async () => await crash(database),
        'a failover of the database': async () => {
          const standby = everything.use(await postgres.standby())
          await standby.attach()
          await database?.stop()
          await standby.promote()
          await standby.takeAddress()
          database = standby
        },
      }),
    },
    uploadRecords: async () => (await recordsOf('upload', 'uploads')).join('\n'),
    unfinishedJobs: async () => (await recordsOf('unfinished', 'jobs')).length,
    [Symbol.asyncDispose]: async () => await everything.disposeAsync(),
  }
}

async function twoDisks(folder: TempFolder, held: AsyncDisposableStack): Promise<Served> {
  const [library, faultFile, root] = [folder.at('faults.so'), folder.at('fault'), folder.at('files')]
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, '../faults.c'), '-ldl'])
  const usb = join(root, 'usb')
  mkdirSync(usb)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'tmpfs', usb]).status !== 0)
    throw new Error('the second disk cannot be mounted: run this as root')
  held.defer(() => {
    rmSync(faultFile, { force: true })
    execFileSync('umount', ['-l', usb])
  })
  const freeze = async () => {
    // The daemons read the file at any time.
    writeFileSync(`${faultFile}.new`, `write stall 0 ${usb}\n`)
    renameSync(`${faultFile}.new`, faultFile)
    await sleep(FROZEN_STORAGE)
    rmSync(faultFile, { force: true })
  }
  const env = { LD_PRELOAD: library, FILEMGR_FAULTS: faultFile }
  return { root, folder: root, env, disturbances: { 'a frozen disk': freeze } }
}

async function bucket(_folder: TempFolder, held: AsyncDisposableStack, random: () => number): Promise<Served> {
  const server = held.use(await startS3Server())
  const proxy = held.use(await startS3Proxy(server))
  let isFailing = false
  proxy.before = (_, response) => {
    proxy.seen.length = 0
    if (isFailing && random() < 0.3) response.writeHead(503).end()
  }
  return {
    root: `s3://${server.bucket}`,
    folder: server.folder,
    env: proxy.env,
    disturbances: {
      'an S3 server that refuses a third of all requests': async () => {
        isFailing = true
        await sleep(FROZEN_STORAGE)
        isFailing = false
      },
      'a frozen S3 server': async () => await frozen(server.pid(), FROZEN_STORAGE),
      'a crash of the S3 server': async () => {
        await server.stop()
        await sleep(1000)
        await server.start()
      },
    },
  }
}

async function frozen(pid: number, milliseconds: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await sleep(milliseconds)
  process.kill(pid, 'SIGCONT')
}

async function crash(server: Pick<TestPostgres, 'start' | 'stop'> | undefined): Promise<void> {
  await server?.stop()
  await sleep(2000)
  await server?.start()
}
