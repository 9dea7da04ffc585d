import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A server program on this machine. Stopped when disposed. */
export interface RunningProgram extends AsyncDisposable {
  readonly pid: number
  readonly child: ChildProcess
}

export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name]).status === 0
}

/** Runs a program to its end. @returns its output @throws if it fails */
export async function output(program: string, args: readonly string[]): Promise<string> {
  return (await run(program, args, { maxBuffer: 2 ** 26 })).stdout
}

/** Runs a shell command line with $1, $2 … @returns its seconds @throws if it fails */
export async function secondsOf(line: string, ...args: readonly string[]): Promise<number> {
  const start = performance.now()
  await run('sh', ['-c', line, 'sh', ...args])
  return (performance.now() - start) / 1000
}

/** @param env added to our own environment */
export function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  const ended = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const overdue = new AbortController()
      void setTimeout(15_000, undefined, { signal: overdue.signal }).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      )
      if (child.exitCode === null && child.signalCode === null) await ended
      overdue.abort()
    },
  }
}

/** The first line that a program prints. @throws if it ends before */
export async function firstLine({ child }: RunningProgram): Promise<string> {
  let text = ''
  for await (const part of child.stdout ?? []) {
    text += String(part)
    if (text.includes('\n')) {
      child.stdout?.resume()
      return text.slice(0, text.indexOf('\n'))
    }
  }
  throw new Error(`${child.spawnfile} ended before it printed a line`)
}

/** Waits until something listens on the port. */
export async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isThere) return
    await setTimeout(1)
  }
}
