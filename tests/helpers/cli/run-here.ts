import { PassThrough, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from '../../../src/cli/line/run.ts'
import { bareEnvironment, type CliOptions, type CliResult } from './run-cli.ts'

export interface HereOptions extends Omit<Pick<CliOptions, 'cwd' | 'env' | 'stdin'>, 'stdin'> {
  readonly stdin?: string | Uint8Array
  /** Takes the output instead of the result. */
  readonly stdout?: Writable
  /** The width of a terminal for input, output and errors. */
  readonly columns?: number
}

/**
 * Runs `filemgr` in the process of the tests, which takes a tenth of the time of a process of its own. What concerns the
 * process, such as signals, its account and how fast it starts, is tested by `runCli`, and so is the built program.
 */
export async function runHere(args: readonly string[], options: HereOptions = {}): Promise<CliResult> {
  const { cwd = process.cwd(), env, stdin = '', columns } = options
  const [given, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  given.end(stdin)
  if (columns !== undefined) for (const end of [given, stdout, stderr]) Object.assign(end, { isTTY: true, columns })
  const output = Promise.all([text(stdout), text(stderr)])
  const terminal = {
    stdin: given,
    stdout: options.stdout ?? stdout,
    stderr,
    env: { ...bareEnvironment(), ...env },
    cwd: () => cwd,
  }
  const code = await run(args, terminal as unknown as Parameters<typeof run>[1]).finally(() => {
    stdout.end()
    stderr.end()
  })
  const [out, err] = await output
  return { code, signal: null, stdout: out, stderr: err }
}

/** The same with --json: the parsed output. @throws if it fails */
export async function runHereJson<T>(args: readonly string[], options: HereOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await runHere([...args, '--json'], options)
  if (code !== 0) throw new Error(`filemgr ${args.join(' ')}: exit code ${code}, ${stderr}`)
  return JSON.parse(stdout) as T
}
