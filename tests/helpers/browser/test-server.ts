import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from '../../../src/cli/line/run.ts'
import { CHEAP_ACCOUNT, PASSWORD } from '../cheap-account.ts'
import { bareEnvironment } from '../cli/run-cli.ts'
import { tempFolder } from '../temp-folder.ts'
import { afterAll, beforeAll } from 'vitest'

export interface TestServerOptions {
  /** Content of the served folder by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** The folder to serve, instead of a temporary one with `files`. */
  readonly root?: string
  /** Data folder; by default the server keeps its data in memory. */
  readonly data?: string
  /** Additional flags. */
  readonly args?: readonly string[]
}

/** A running `filemgr serve` on a free port. Disposing stops it and removes its temporary folder. */
export interface TestServer extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string
  readonly root: string
  readonly username: string
  /** Empty if the data folder already had accounts. */
  readonly password: string
  /** Token of the administrator for X-Auth; empty if the password is. */
  readonly token: string
  /** Sends a request as the administrator. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** Printed by `serve --json` once it listens. */
export interface ReadyLine {
  readonly url: string
  readonly pid: number
  readonly username?: string
  readonly password?: string
  readonly token?: string
}

/**
 * Runs `filemgr serve` in the process of the tests, which takes a tenth of the time of a separate process. Tests that kill
 * it, or need their own environment, use `startTestDaemon`.
 *
 * @throws with its output if it does not start
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await tempFolder(options.files)
  const root = options.root ?? folder.path
  const others = new Set(process.listeners('SIGTERM'))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const errors = text(stderr)
  // A flag would override the log setting in the data folder.
  const quiet = options.data === undefined ? ['--log', ''] : []
  const env = { ...bareEnvironment(), ...CHEAP_ACCOUNT }
  const ended = run([...serveLine(root, options), ...quiet], {
    stdin,
    stdout,
    stderr,
    env,
    cwd: () => folder.path,
  } as unknown as Parameters<typeof run>[1]).finally(() => stderr.end())
  const line = await Promise.race([firstLine(stdout), ended])
  if (typeof line === 'number') {
    await folder[Symbol.asyncDispose]()
    throw new Error(`filemgr ended with exit code ${line}: ${await errors}`)
  }
  const stop = process.listeners('SIGTERM').filter((listener) => !others.has(listener))
  return {
    ...served(root, readyLineOf(line)),
    async [Symbol.asyncDispose]() {
      for (const listener of stop) listener('SIGTERM')
      await ended
      await folder[Symbol.asyncDispose]()
    },
  }
}

function readyLineOf(line: string): ReadyLine {
  const ready = JSON.parse(line) as ReadyLine
  // A token is only in the line if the account is new.
  return ready.token === undefined ? ready : { ...ready, password: PASSWORD }
}

/** The arguments of `filemgr`. */
export function serveLine(root: string, { data, args = [] }: TestServerOptions): string[] {
  const place = data === undefined ? ['--ephemeral'] : ['--data', data]
  return ['serve', root, '--port', '0', '--json', ...place, ...args]
}

/** The test server for a ready line. */
export function served(root: string, ready: ReadyLine): Omit<TestServer, keyof AsyncDisposable> {
  const { url, username = '', password = '', token = '' } = ready
  return {
    url,
    root,
    username,
    password,
    token,
    fetch: async (path, init) => {
      const headers = new Headers(init?.headers)
      headers.set('X-Auth', token)
      return await fetch(new URL(path.replace(/^\//, ''), url), { ...init, headers })
    },
  }
}

async function firstLine(stream: PassThrough): Promise<string> {
  let read = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    read += String(chunk)
    if (read.includes('\n')) return read.slice(0, read.indexOf('\n'))
  }
  return read
}

/** One server for all tests of a file; each test uses its own folder. @returns a getter to call inside tests */
export function serverOfFile(options: TestServerOptions): () => TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startTestServer(options)
  })
  afterAll(async () => await server?.[Symbol.asyncDispose]())
  return () => {
    if (server === undefined) throw new Error('the server of this file has not started')
    return server
  }
}
