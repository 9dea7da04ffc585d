import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSWORD } from '../../helpers/cheap-account.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { startPostgres } from '../../helpers/postgres.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import type { Answer, Fault } from '../world.ts'

/** A reply that takes longer counts as missing; the operation goes on. */
const PATIENCE = 30_000

export interface Request {
  readonly body?: string | FormData
  readonly headers?: Readonly<Record<string, string>>
  /** As a visitor, without an account. */
  readonly visitor?: boolean
}

/** One daemon, or several with one database, that serve a folder in which `usb` is another disk. */
export interface ModelWorld extends AsyncDisposable {
  readonly root: string
  readonly usb: string
  readonly daemons: number
  /** Asks one of the daemons. @returns status 0 if the connection broke or no answer came in time */
  ask(method: string, path: string, request?: Request): Promise<Answer>
  strike(fault: Fault, folder: string): void
  heal(): void
  /** The records of unfinished uploads, in any form: their hidden files may stay. */
  uploadRecords(): Promise<string>
  /** Kills or stops one of the daemons, and starts it again. */
  restart(index: number, signal: NodeJS.Signals): Promise<void>
}

export async function openModelWorld(count: number, random: () => number): Promise<ModelWorld> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder({ 'files/': '' }))
  const [library, faultFile, root] = [folder.at('faults.so'), folder.at('fault'), folder.at('files')]
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, '../faults.c'), '-ldl'])
  const usb = join(root, 'usb')
  mkdirSync(usb)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'tmpfs', usb]).status !== 0)
    throw new Error('the second disk cannot be mounted: run this as root')
  held.defer(() => void execFileSync('umount', ['-l', usb]))
  const postgres = count > 1 ? held.use(await startPostgres()) : undefined
  const database = await postgres?.database()
  const store = database === undefined ? {} : { FILEMGR_STORE: database }
  const env = { LD_PRELOAD: library, FILEMGR_FAULTS: faultFile, ...store }
  const start = async (index: number) => await startTestDaemon({ data: folder.at(`data${index}`), root, env })
  const daemons: TestDaemon[] = []
  held.defer(async () => {
    rmSync(faultFile, { force: true })
    for (const daemon of daemons) await daemon[Symbol.asyncDispose]()
  })
  for (let index = 0; index < count; index += 1) daemons.push(await start(index))
  let token = daemons[0]?.token ?? ''

  const ask: ModelWorld['ask'] = async (method, path, { body, headers = {}, visitor = false } = {}) => {
    const daemon = daemons[Math.floor(random() * count)]
    try {
      const answer = await fetch(new URL(path.replace(/^\//, ''), daemon?.url), {
        method,
        headers: { ...(!visitor && { 'X-Auth': token }), ...headers },
        signal: AbortSignal.timeout(PATIENCE),
        ...(body === undefined ? {} : { body }),
      })
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    } catch {
      return { status: 0, text: '', headers: new Headers() }
    }
  }
  const signIn = async () => {
    const credentials = { username: daemons[0]?.username ?? 'admin', password: PASSWORD }
    token = (await ask('POST', '/api/login', { body: JSON.stringify(credentials) })).text
  }
  const everything = held.move()
  return {
    ...{ root, usb, daemons: count, ask },
    strike({ call, action, skip = 0 }, where) {
      // The daemons read the file at any time.
      writeFileSync(`${faultFile}.new`, `${call} ${action} ${skip} ${where}\n`)
      renameSync(`${faultFile}.new`, faultFile)
    },
    async uploadRecords() {
      if (database !== undefined)
        return (await postgres?.query(database, "SELECT data FROM filemgr_records WHERE kind = 'upload'")) ?? ''
      const records = folder.at('data0/uploads')
      return readdirSync(records)
        .map((name) => readFileSync(join(records, name), 'utf8'))
        .join('\n')
    },
    heal: () => rmSync(faultFile, { force: true }),
    async restart(index, signal) {
      await daemons[index]?.stop(signal)
      daemons[index] = await start(index)
      if ((await ask('GET', '/api/resources/')).status === 401) await signIn()
    },
    [Symbol.asyncDispose]: async () => await everything.disposeAsync(),
  }
}
