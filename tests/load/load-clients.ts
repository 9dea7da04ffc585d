import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { rawSocket, type RawSocket } from '../helpers/api/raw-socket.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'

const MEBIBYTE = 1024 * 1024

/** Sends the head of a request of the administrator. The caller sends the body, if there is one. */
export async function startRequest(
  { url, token }: TestDaemon,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawSocket> {
  const client = await rawSocket(new URL(url))
  const lines = Object.entries({ Host: 'localhost', 'X-Auth': token, ...headers }).map(([name, v]) => `${name}: ${v}`)
  client.socket.write(`${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  return client
}

/** Memory of a process, in mebibytes. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

/** Asks for something small again and again during the work. @returns how long the answers took, in milliseconds, ascending */
export async function probedDuring(daemon: TestDaemon, path: string, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const working = { isOver: false }
  const probing = (async () => {
    while (!working.isOver) {
      const started = performance.now()
      const answer = await daemon.fetch(path)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`a probe was answered with ${answer.status}`)
      times.push(performance.now() - started)
      await setTimeout(10)
    }
  })()
  await Promise.all([probing, work().finally(() => (working.isOver = true))])
  return times.toSorted((a, b) => a - b)
}

/** Probes an idle daemon, after a warm-up. */
export async function idleProbes(daemon: TestDaemon): Promise<number[]> {
  await probedDuring(daemon, 'api/raw/small.txt', async () => await setTimeout(300))
  return await probedDuring(daemon, 'api/raw/small.txt', async () => await setTimeout(1000))
}

/** The limit, or more if idle probes show that the machine is busy with something else. */
export function allowed(limit: number, idle: readonly number[]): number {
  return Math.max(limit, percentile(idle, 0.99) * 3)
}

export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
}

/** Text of this many mebibytes, in parts of one. */
export function* bytesOf(mebibytes: number): Generator<Buffer> {
  const part = Buffer.alloc(MEBIBYTE)
  for (let i = 0; i < mebibytes; i += 1) {
    part.fill(`${i} of these bytes. `)
    yield Buffer.from(part)
  }
}
