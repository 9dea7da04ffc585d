import { afterAll, beforeAll } from 'vitest'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { tempFolder, type TempFolder } from '../helpers/temp-folder.ts'

/** Longer than a lease takes to expire and other daemons to notice. */
export const TAKEOVER = { timeout: 300_000, interval: 100 }
export const SOON = { timeout: 300_000, interval: 20 }

/** Daemons with one database that serve the same files, as on several machines. */
export interface Machines extends AsyncDisposable {
  readonly one: TestDaemon
  readonly other: TestDaemon
  /** These two, and more if `count` is larger. */
  readonly all: readonly TestDaemon[]
  readonly url: string
  /** The served folder, unless a bucket is served. */
  readonly files: TempFolder
  /** Contains the data folders "one" and "other". */
  readonly data: TempFolder
  /** The environment in which a command uses their store. */
  readonly env: Readonly<Record<string, string>>
  /** Asks one of them as the administrator. */
  ask(daemon: TestDaemon, path: string, init?: RequestInit): Promise<Response>
}

export interface MachinesOptions {
  readonly files?: Readonly<Record<string, string>>
  /** Default: a folder with the files. */
  readonly root?: string
  readonly env?: Readonly<Record<string, string>>
  /** Default: 2 */
  readonly count?: number
}

export interface MachinesOfFile {
  readonly postgres: () => TestPostgres
  machines(options?: MachinesOptions): Promise<Machines>
}

/** A database server for the tests of a file. */
export function machinesOfFile(): MachinesOfFile {
  let server: TestPostgres | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => await server?.[Symbol.asyncDispose]())
  const postgres = (): TestPostgres => {
    if (server === undefined) throw new Error('the server is not started')
    return server
  }
  return { postgres, machines: async (options = {}) => await startMachines(await postgres().database(), options) }
}

async function startMachines(url: string, options: MachinesOptions): Promise<Machines> {
  await using held = new AsyncDisposableStack()
  const files = held.use(await tempFolder(options.files))
  const data = held.use(await tempFolder())
  const env = { FILEMGR_STORE: url, ...options.env }
  const start = async (name: string) =>
    held.use(await startTestDaemon({ data: data.at(name), root: options.root ?? files.path, env }))
  // The first creates the store, and has the password.
  const one = await start('one')
  const other = await start('other')
  const more = Array.from({ length: (options.count ?? 2) - 2 }, async (_, number) => await start(`more${number}`))
  const all = [one, other, ...(await Promise.all(more))]
  const everything = held.move()
  return {
    one,
    other,
    all,
    url,
    files,
    data,
    env,
    async ask(daemon, path, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('x-auth', one.token)
      return await fetch(new URL(path, daemon.url), { ...init, headers })
    },
    [Symbol.asyncDispose]: async () => await everything.disposeAsync(),
  }
}
