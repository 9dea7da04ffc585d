import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MemoryGroup, withinGroup } from '../memory-group.ts'
import { programLine } from './program.ts'

export interface CliOptions {
  /** The command to run instead of the `filemgr` of this repository. */
  readonly program?: string
  readonly cwd?: string
  /** Added to a minimal environment, so that tests do not depend on the user's. */
  readonly env?: Readonly<Record<string, string>>
  /** Written to standard input, which is then closed. */
  readonly stdin?: string | Uint8Array
  /** Enforces file permissions even if the tests run as root. */
  readonly enforcePermissions?: boolean
  /** Limit of open descriptors. */
  readonly limit?: number
  /** Limits the memory of the process and of all that it starts. */
  readonly group?: MemoryGroup
}

export interface CliResult {
  /** Null if it was killed by a signal. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A running command. Killed when disposed, if it still runs. */
export interface CliProcess extends AsyncDisposable {
  readonly pid: number
  /** Resolves with the first line of stdout. @throws with its output if the process ends before */
  firstLine(): Promise<string>
  /** Resolves with the first match on stderr. @throws if the process ends before */
  notice(pattern: RegExp): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Closes the reading end of its output, as if the program behind a pipe had ended. */
  closeOutput(): void
  /** Resolves when the process has ended. */
  ended(): Promise<CliResult>
}

/** Runs `filemgr` with these arguments and waits for its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  await using running = startCli(args, options)
  return await running.ended()
}

/** The same with --json: the parsed output. @throws if it fails */
export async function runCliJson<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await runCli([...args, '--json'], options)
  if (code !== 0) throw new Error(`filemgr ${args.join(' ')}: exit code ${code}, ${stderr}`)
  return JSON.parse(stdout) as T
}

/** The two capabilities by which root bypasses file permissions. */
export const WITHOUT_ROOT_POWERS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search']

export function startCli(
  args: readonly string[],
  { program: other, cwd, env, stdin, enforcePermissions, limit, group }: CliOptions = {},
): CliProcess {
  const within = [
    ...(group === undefined ? [] : withinGroup(group)),
    ...(enforcePermissions === true && process.getuid?.() === 0 ? WITHOUT_ROOT_POWERS : []),
    ...(limit === undefined ? [] : ['prlimit', `--nofile=${limit}:${limit}`]),
  ]
  const [program = '', ...first] = [...within, ...(other === undefined ? programLine() : [other])]
  const child = spawn(program, [...first, ...args], { cwd, env: { ...bareEnvironment(), ...env } })
  child.stdin.end(stdin ?? '')
  const output = { stdout: '', stderr: '' }
  const result = collect(child, output)
  const match = async (name: keyof Output, pattern: RegExp) => {
    let end: CliResult | undefined
    void result.then((ended) => (end = ended))
    for (;;) {
      const found = pattern.exec(output[name])?.[0]
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
    closeOutput() {
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

/** The output so far. */
type Output = Record<'stdout' | 'stderr', string>

async function collect(child: ChildProcessWithoutNullStreams, output: Output): Promise<CliResult> {
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text))
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, ...output }
}

/** The environment of a command, unless a test adds to it. */
export function bareEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: join(tmpdir(), 'filemgr-test-without-home'),
    // Many short runs share one compile cache.
    XDG_CACHE_HOME: join(import.meta.dirname, '../../../node_modules/.cache'),
    LANG: 'C.UTF-8',
  }
}
