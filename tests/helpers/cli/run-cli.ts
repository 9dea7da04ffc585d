import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programLine } from './program.ts'

export interface CliOptions {
  readonly cwd?: string
  /** On top of a bare environment: the tests do not depend on who runs them. */
  readonly env?: Readonly<Record<string, string>>
  /** Written to standard input, which is then closed. */
  readonly stdin?: string
  /** Bound by the modes of files even when the tests run as root. */
  readonly bound?: boolean
  /** Descriptors that it may have. */
  readonly limit?: number
}

export interface CliResult {
  /** Exit code; null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs. Disposing of it kills it, if it has not ended by itself. */
export interface CliProcess extends AsyncDisposable {
  readonly pid: number
  /** Resolves with the first line of stdout. @throws when the process ends before, with what it said */
  firstLine(): Promise<string>
  /** Resolves with the first thing on stderr that a pattern matches. @throws when the process ends before */
  notice(pattern: RegExp): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Nobody reads any more what it says, as when the program behind a pipe has ended. */
  deafen(): void
  /** Resolves when the process has ended. */
  ended(): Promise<CliResult>
}

/** Runs `filemgr` with these arguments to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  await using running = startCli(args, options)
  return await running.ended()
}

/** The same with --json: what it printed, parsed. @throws when it failed */
export async function runCliJson<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await runCli([...args, '--json'], options)
  if (code !== 0) throw new Error(`filemgr ${args.join(' ')}: exit code ${code}, ${stderr}`)
  return JSON.parse(stdout) as T
}

/** Root passes over the modes of files by these two capabilities only. */
const BOUND = ['setpriv', '--bounding-set=-dac_override,-dac_read_search']

export function startCli(args: readonly string[], { cwd, env, stdin, bound, limit }: CliOptions = {}): CliProcess {
  const within = [
    ...(bound === true && process.getuid?.() === 0 ? BOUND : []),
    ...(limit === undefined ? [] : ['prlimit', `--nofile=${limit}:${limit}`]),
  ]
  const [program = '', ...first] = [...within, ...programLine()]
  const child = spawn(program, [...first, ...args], { cwd, env: { ...bareEnvironment(), ...env } })
  child.stdin.end(stdin ?? '')
  const said = { stdout: '', stderr: '' }
  const result = collect(child, said)
  const match = async (name: keyof Said, pattern: RegExp) => {
    let end: CliResult | undefined
    void result.then((ended) => (end = ended))
    for (;;) {
      const found = pattern.exec(said[name])?.[0]
      if (found !== undefined) return found
      if (end !== undefined) throw new Error(`filemgr ended with exit code ${end.code}: ${end.stderr}`)
      await Promise.race([once(child[name], 'data'), result])
    }
  }
  return {
    pid: child.pid ?? 0,
    firstLine: async () => await match('stdout', /.*(?=\n)/),
    notice: async (pattern) => await match('stderr', pattern),
    kill: (signal) => void child.kill(signal),
    deafen() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    ended: async () => await result,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await result
    },
  }
}

/** What the streams said so far. */
type Said = Record<'stdout' | 'stderr', string>

async function collect(child: ChildProcessWithoutNullStreams, said: Said): Promise<CliResult> {
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, ...said }
}

/** What a command finds in its environment, unless a test says more. */
export function bareEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: join(tmpdir(), 'filemgr-test-without-home'),
    // Compiled code is shared between the many short runs.
    XDG_CACHE_HOME: join(import.meta.dirname, '../../../node_modules/.cache'),
    LANG: 'C.UTF-8',
  }
}
