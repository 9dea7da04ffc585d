import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../helpers/cli/test-store.ts'

/** Content by path below the served folder. */
export type Files = Readonly<Record<string, string>>

export interface Fault {
  readonly call: 'write' | 'read' | 'open' | 'sync' | 'truncate' | 'rename' | 'remove' | 'mkdir' | 'list'
  /** The number of an errno, or an action of faults.c. */
  readonly action: number | 'kill' | 'kill-after' | 'stall'
  /** How many calls succeed first; by default none. */
  readonly skip?: number
}

/** A reply that takes longer counts as missing. */
const PATIENCE = 20_000

/** A daemon whose system calls can be made to fail. "usb" below its root is a separate disk. */
export interface World extends AsyncDisposable {
  readonly root: string
  readonly data: string
  readonly daemon: TestDaemon
  /** @returns the status; 0 if the connection broke or no reply came in time */
  ask(method: string, path: string, init?: { body?: string; headers?: Record<string, string> }): Promise<Answer>
  /** Another session of the administrator. */
  signIn(): Promise<Answer>
  strike(fault: Fault, folder: string): void
  heal(): void
  /** Restarts the daemon after `signal`, or after it was killed. */
  restart(signal?: NodeJS.Signals): Promise<void>
  isAlive(): boolean
  /** Empties the served folder and writes these files. */
  fill(files: Files): void
  /** Everything below the served folder, including trash and hidden files; empty folders end in a slash. */
  read(): Map<string, string>
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export async function openWorld(): Promise<World> {
  const library = await tempFolder()
  const [faults, faultFile] = [library.at('faults.so'), library.at('fault')]
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', faults, join(import.meta.dirname, 'faults.c'), '-ldl'])
  const store = await testStore()
  const { root, data } = store
  const usb = join(root, 'usb')
  mkdirSync(usb)
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512m', 'tmpfs', usb]).status === 0
  let daemon = await startTestDaemon({ data, root, env: { LD_PRELOAD: faults, FILEMGR_FAULTS: faultFile } })
  let token = ''
  let alive = true
  const watchDaemon = () => {
    alive = true
    const current = daemon
    void current.ended().then(() => {
      if (current === daemon) alive = false
    })
  }
  watchDaemon()

  const ask: World['ask'] = async (method, path, { body, headers = {} } = {}) => {
    const signal = AbortSignal.timeout(PATIENCE)
    try {
      const answer = await fetch(new URL(path.replace(/^\//, ''), daemon.url), {
        method,
        headers: { 'X-Auth': token, ...headers },
        signal,
        ...(body === undefined ? {} : { body }),
      })
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    } catch {
      return { status: 0, text: '', headers: new Headers() }
    }
  }
  const signIn = async () =>
    await ask('POST', '/api/login', { body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }) })
  token = (await signIn()).text

  return {
    root,
    data,
    get daemon() {
      return daemon
    },
    ask,
    signIn,
    strike({ call, action, skip = 0 }, folder) {
      // Retry: the file may be read while it is written.
      writeFileSync(`${faultFile}.new`, `${call} ${action} ${skip} ${folder}\n`)
      renameSync(`${faultFile}.new`, faultFile)
    },
    heal: () => rmSync(faultFile, { force: true }),
    async restart(signal = 'SIGTERM') {
      await daemon.stop(signal)
      daemon = await startTestDaemon({ data, root, env: { LD_PRELOAD: faults, FILEMGR_FAULTS: faultFile } })
      watchDaemon()
      if ((await ask('GET', '/api/resources/')).status !== 200) token = (await signIn()).text
    },
    isAlive: () => alive,
    fill(files) {
      for (const name of [...readdirSync(root), ...readdirSync(usb).map((name) => join('usb', name))])
        if (name !== 'usb') rmSync(join(root, name), { recursive: true })
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true })
        writeFileSync(join(root, name), content)
      }
    },
    read() {
      const found = new Map<string, string>()
      const walk = (folder: string, prefix: string) => {
        const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true }))
        if (entries?.length === 0 && prefix !== '') found.set(prefix, '')
        for (const entry of entries ?? []) {
          const [name, path] = [`${prefix}${entry.name}`, join(folder, entry.name)]
          if (entry.isDirectory()) walk(path, `${name}/`)
          else unlessGone(() => found.set(name, readFileSync(path, 'utf8')))
        }
      }
      walk(root, '')
      return found
    },
    async [Symbol.asyncDispose]() {
      rmSync(faultFile, { force: true })
      await daemon[Symbol.asyncDispose]()
      if (isMounted) execFileSync('umount', [usb])
      await store[Symbol.asyncDispose]()
      await library[Symbol.asyncDispose]()
    },
  }
}

/** The daemon may be removing hidden files meanwhile. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
