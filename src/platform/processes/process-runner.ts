import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fail, cancelled } from '../../domain/errors.ts'
import { openSharedPipe } from './shared-pipe.ts'
import { isErrno } from '../files/error-code.ts'

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 2000

export type OutputSource = 'stdout' | 'stderr'

export interface ProcessRequest {
  /** Program and arguments, passed without a shell. A program without "/" is searched for in `env.PATH`. */
  readonly argv: readonly [string, ...string[]]
  /** The whole environment: nothing is inherited (see `programEnvironment`). */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Text or bytes for standard input, or an open file to use as standard input; it may be closed once the program runs. */
  readonly stdin?: string | Uint8Array | { readonly descriptor: number } | undefined
  /** Milliseconds until the program and everything it started are terminated. */
  readonly timeout: number
  /** Bytes of both outputs together; more terminates the program. */
  readonly outputLimit: number
  readonly signal?: AbortSignal | undefined
  /** On abort the program gets SIGINT, like Ctrl-C, which it may ignore. */
  readonly interrupt?: AbortSignal | undefined
  /** Combines both outputs in stdout, in the order in which the program wrote them. */
  readonly merged?: boolean | undefined
  /** Receives the output as it arrives, with backpressure. Without it, the output is collected. */
  readonly onOutput?: ((part: Uint8Array, source: OutputSource) => void | Promise<void>) | undefined
}

/** Why we terminated a program. */
export type Interruption = 'timeout' | 'output' | 'abort'

export interface ProcessResult {
  /** Null if a signal terminated it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Undefined if it exited by itself. */
  readonly interrupted: Interruption | undefined
  /** UTF-8; empty with `onOutput`. */
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly child: ChildProcess
  readonly outputs: readonly { readonly stream: Readable; readonly source: OutputSource }[]
}

/**
 * Runs a program to its end in a process group of its own. When the program exits, the rest of the group is killed.
 *
 * @throws NOT_FOUND if the program does not exist, FORBIDDEN if it may not be run, INVALID_INPUT for a NUL character; and what
 *         `onOutput` throws, after terminating the program
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  if (isAborted(request.signal)) throw cancelled()
  const { child, outputs } = await start(request)
  const group = new ProcessGroup(child, () => {
    for (const { stream } of outputs) stream.destroy()
  })
  const onAbort = () => group.end('abort')
  request.signal?.addEventListener('abort', onAbort)
  const onInterrupt = () => group.interrupt()
  request.interrupt?.addEventListener('abort', onInterrupt)
  // Either may have aborted while the program started.
  if (isAborted(request.signal)) onAbort()
  if (isAborted(request.interrupt)) onInterrupt()
  const overdue = setTimeout(() => group.end('timeout'), request.timeout)
  const output = new OutputReader(request, {
    onExcess: () => group.end('output'),
    onPart: () => group.keepReading(),
  })
  // A program may close its input without reading it.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(isDescriptor(request.stdin) ? '' : (request.stdin ?? ''))
  try {
    const [exit, reading] = await Promise.all([
      group.exited,
      Promise.allSettled(outputs.map(async ({ stream, source }) => await output.read(stream, source))),
    ])
    for (const result of reading) if (result.status === 'rejected' && !group.closedOutputs) throw result.reason
    if (output.failure !== undefined) throw output.failure.cause
    return { ...exit, interrupted: group.interrupted, stdout: output.text('stdout'), stderr: output.text('stderr') }
  } finally {
    clearTimeout(overdue)
    request.signal?.removeEventListener('abort', onAbort)
    request.interrupt?.removeEventListener('abort', onInterrupt)
    group.dispose()
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

/** Resolves once the program runs. */
async function start(request: ProcessRequest): Promise<Running> {
  const { argv, env, merged } = request
  if ([...argv, ...Object.values(env)].some((word) => word.includes('\0'))) {
    fail('INVALID_INPUT', 'a NUL character cannot be passed to a program')
  }
  if (merged !== true) {
    const child = await startWith(request, ['pipe', 'pipe'])
    const { stdout, stderr } = child
    if (stdout === null || stderr === null) throw new Error('the program was started without pipes')
    return {
      child,
      outputs: [
        { stream: stdout, source: 'stdout' },
        { stream: stderr, source: 'stderr' },
      ],
    }
  }
  // Our own writing end must be closed, or the output would never end.
  using pipe = await openSharedPipe()
  try {
    const child = await startWith(request, [pipe.writer, pipe.writer])
    return { child, outputs: [{ stream: pipe.reader, source: 'stdout' }] }
  } catch (error) {
    pipe.reader.destroy()
    throw error
  }
}

type Output = 'pipe' | number

async function startWith(request: ProcessRequest, outputs: readonly [Output, Output]): Promise<ChildProcess> {
  const { argv, env, cwd, stdin } = request
  const [program, ...words] = argv
  const input = isDescriptor(stdin) ? stdin.descriptor : 'pipe'
  // `detached` gives it its own process group, so that everything it starts can be killed with it.
  const child = spawn(program, words, { cwd, env, shell: false, detached: true, stdio: [input, ...outputs] })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.once('spawn', resolve)
  child.once('error', reject)
  try {
    await promise
  } catch (error) {
    return startFailure(program, error)
  }
  return child
}

function isDescriptor(stdin: ProcessRequest['stdin']): stdin is { readonly descriptor: number } {
  return typeof stdin === 'object' && 'descriptor' in stdin
}

function startFailure(program: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  const options = { cause: error }
  if (code === 'ENOENT') fail('NOT_FOUND', `the program ${program} or its working folder does not exist`, {}, options)
  if (code === 'EACCES') fail('FORBIDDEN', `this account may not run the program ${program}`, {}, options)
  return fail('INTERNAL', `the program ${program} cannot be started`, {}, options)
}

interface Exit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/** A program with everything it started. */
class ProcessGroup {
  readonly exited: Promise<Exit>
  interrupted: Interruption | undefined
  closedOutputs = false
  readonly #child: ChildProcess
  readonly #destroyOutputs: () => void
  #killTimer: NodeJS.Timeout | undefined
  #isGone = false

  constructor(child: ChildProcess, destroyOutputs: () => void) {
    this.#child = child
    this.#destroyOutputs = destroyOutputs
    this.exited = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => {
        clearTimeout(this.#killTimer)
        // Children that keep running would hold the outputs open, unsupervised.
        this.#send('SIGKILL')
        this.#isGone = true
        // A child that left the group may still hold the outputs open: read what arrives soon, then close them.
        this.#killTimer = setTimeout(() => this.#closeOutputs(), GRACE)
        resolve({ exitCode, signal })
      })
    })
  }

  /** Postpones closing the outputs, because there is still something to read. */
  keepReading(): void {
    if (this.#isGone) this.#killTimer?.refresh()
  }

  end(reason: Interruption): void {
    if (this.#isGone || this.interrupted !== undefined) return
    this.interrupted = reason
    this.#send('SIGTERM')
    // Its remaining output is not needed.
    this.#closeOutputs()
    this.#killTimer = setTimeout(() => this.#send('SIGKILL'), GRACE)
  }

  interrupt(): void {
    if (this.interrupted === undefined) this.#send('SIGINT')
  }

  dispose(): void {
    clearTimeout(this.#killTimer)
  }

  #closeOutputs(): void {
    this.closedOutputs = true
    this.#destroyOutputs()
  }

  #send(signal: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined || this.#isGone) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      // ESRCH: the group is empty.
      if (!isErrno(error, 'ESRCH')) throw error
    }
  }
}

interface OutputEvents {
  onExcess(): void
  onPart(): void
}

/** Collects or forwards the output, up to the limit. */
class OutputReader {
  failure: { readonly cause: unknown } | undefined
  readonly #request: ProcessRequest
  readonly #events: OutputEvents
  readonly #parts: Record<OutputSource, Uint8Array[]> = { stdout: [], stderr: [] }
  #remaining: number

  constructor(request: ProcessRequest, events: OutputEvents) {
    this.#request = request
    this.#events = events
    this.#remaining = request.outputLimit
  }

  async read(stream: Readable, source: OutputSource): Promise<void> {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      const part = chunk.subarray(0, this.#remaining)
      this.#remaining -= part.length
      if (part.length > 0) await this.#pass(part, source)
      if (part.length < chunk.length) this.#events.onExcess()
      this.#events.onPart()
    }
  }

  text(source: OutputSource): string {
    return Buffer.concat(this.#parts[source]).toString('utf8')
  }

  async #pass(part: Uint8Array, source: OutputSource): Promise<void> {
    const { onOutput } = this.#request
    if (onOutput === undefined) {
      this.#parts[source].push(part)
      return
    }
    try {
      await onOutput(part, source)
    } catch (cause) {
      this.failure ??= { cause }
      this.#events.onExcess()
    }
  }
}
