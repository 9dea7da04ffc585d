import { execFile, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface Request {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Load {
  readonly connections?: number
  /** Number of requests, or seconds; by default each given request once. */
  readonly count?: number
  readonly seconds?: number
  /** Milliseconds between two requests. */
  readonly pause?: number
  /** The body of requests with a Content-Length, chunk by chunk. */
  readonly file?: string
}

/** The result of a load; latencies in seconds. */
export interface Answers {
  readonly seconds: number
  readonly requests: number
  readonly bytes: number
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** Sends requests to local servers with client.c: a client in JavaScript would take as long as the servers. */
export interface Client {
  /** @throws if a request fails */
  send(port: number, requests: readonly Request[], load?: Load): Promise<Answers>
  /** Repeats one request, with pauses, while work runs. @throws if it fails */
  probe(port: number, request: Request, work: () => Promise<unknown>): Promise<Answers>
}

const PROBE_PAUSE = 5

export function createClient(program: string): Client {
  const start = (port: number, requests: readonly Request[], load: Load): ChildProcess => {
    const { connections = 1, count = requests.length, seconds, pause = 0, file } = load
    const limit = seconds === undefined ? count : `${seconds}s`
    const child = execFile(
      program,
      [port, connections, limit, pause, ...(file === undefined ? [] : [file])].map(String),
    )
    child.stdin?.end(requests.map(headOf).join(''))
    return child
  }
  return {
    send: async (port, requests, load = {}) => await answersOf(start(port, requests, load)),
    async probe(port, request, work) {
      const child = start(port, [request], { seconds: 3600, pause: PROBE_PAUSE })
      const answers = answersOf(child)
      await Promise.race([work(), answers]).finally(() => child.kill('SIGTERM'))
      return await answers
    },
  }
}

function headOf({ method = 'GET', path, headers = {} }: Request): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

async function answersOf(child: ChildProcess): Promise<Answers> {
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  const line = child.spawnargs.join(' ')
  if (code !== 0) throw new Error(`${line}: ${stderr}`)
  const { refused, status, ...answers } = JSON.parse(stdout) as Answers & { refused: number; status: number }
  if (refused > 0)
    throw new Error(`${line}: ${refused} of ${answers.requests} requests refused, the last with ${status}`)
  return answers
}
