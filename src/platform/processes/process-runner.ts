import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fail, cancelled } from '../../domain/errors.ts'
import { openSharedPipe } from './shared-pipe.ts'

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 2000

export type OutputSource = 'stdout' | 'stderr'

export interface ProcessRequest {
  /** Program and arguments, handed over as they are: no shell reads them. Without "/" the program is looked for in `env.PATH`. */
  readonly argv: readonly [string, ...string[]]
  /** The whole environment: nothing of our own is inherited (see process-environment.ts). */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Written to standard input, which is then closed; or an open file that becomes it, and must stay open until this has begun. */
  readonly stdin?: string | Uint8Array | { readonly descriptor: number } | undefined
  /** Milliseconds; then the program and all that it started are ended. */
  readonly timeout: number
  /** Bytes of both outputs together; more ends the program. */
  readonly outputLimit: number
  readonly signal?: AbortSignal | undefined
  /** When it aborts the program is asked to stop, as Ctrl-C does, and may go on. */
  readonly interrupt?: AbortSignal | undefined
  /** Both outputs are one, called stdout, in the order in which the program wrote to them. */
  readonly merged?: boolean | undefined
  /** Takes the output as it comes, and the program waits while it is busy. Without it the output is collected. */
  readonly onOutput?: ((part: Uint8Array, source: OutputSource) => void | Promise<void>) | undefined
}

/** Why a program was ended by us. */
export type Interruption = 'timeout' | 'output' | 'abort'

export interface ProcessResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Undefined when it ended by itself. */
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
 * Runs a program to its end, and leaves nothing behind: it has a process group of its own, of which all that is left is
 * killed when the program has ended.
 *
 * @throws NOT_FOUND when there is no such program, FORBIDDEN when it may not be run, INVALID_INPUT for a NUL in a word;
 *         what `onOutput` throws, after the program was ended
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
  // While it was started.
  if (isAborted(request.signal)) onAbort()
  if (isAborted(request.interrupt)) onInterrupt()
  const overdue = setTimeout(() => group.end('timeout'), request.timeout)
  const output = new OutputTaker(request, {
    onExcess: () => group.end('output'),
    onPart: () => group.waitLonger(),
  })
  // A program that does not read its input closes it, which is its right.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(isDescriptor(request.stdin) ? '' : (request.stdin ?? ''))
  try {
    const [exit, reading] = await Promise.all([
      group.exited,
      Promise.allSettled(outputs.map(async ({ stream, source }) => await output.take(stream, source))),
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
    fail('INVALID_INPUT', 'a NUL character cannot be handed to a program')
  }
  if (merged !== true) {
    const child = await startWith(request, ['pipe', 'pipe'])
    const { stdout, stderr } = child
    if (stdout === null || stderr === null) throw new Error('pipes were asked for')
    return {
      child,
      outputs: [
        { stream: stdout, source: 'stdout' },
        { stream: stderr, source: 'stderr' },
      ],
    }
  }
  // Our own end for writing has to go, else the output would never come to its end.
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
  // `detached` gives it a group of its own, so that what it starts is found and ended with it.
  const child = spawn(program, words, { cwd, env, shell: false, detached: true, stdio: [input, ...outputs] })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.once('spawn', resolve)
  child.once('error', reject)
  try {
    await promise
  } catch (error) {
    return refuse(program, error)
  }
  return child
}

function isDescriptor(stdin: ProcessRequest['stdin']): stdin is { readonly descriptor: number } {
  return typeof stdin === 'object' && 'descriptor' in stdin
}

function refuse(program: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  const options = { cause: error }
  if (code === 'ENOENT') fail('NOT_FOUND', `the program ${program} is not there, or its folder is not`, {}, options)
  if (code === 'EACCES') fail('FORBIDDEN', `the program ${program} may not be run by this account`, {}, options)
  return fail('INTERNAL', `the program ${program} cannot be started`, {}, options)
}

interface Exit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/** A program with all that it started. */
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
        // Children left running would keep the outputs open and go on unsupervised.
        this.#send('SIGKILL')
        this.#isGone = true
        // Who left the group keeps the outputs open; what was written by now is still read.
        this.#killTimer = setTimeout(() => this.#closeOutputs(), GRACE)
        resolve({ exitCode, signal })
      })
    })
  }

  /** There is still something to read. */
  waitLonger(): void {
    if (this.#isGone) this.#killTimer?.refresh()
  }

  end(reason: Interruption): void {
    if (this.#isGone || this.interrupted !== undefined) return
    this.interrupted = reason
    this.#send('SIGTERM')
    // The rest of its output is not needed.
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
      // No process of the group is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

interface OutputEvents {
  onExcess(): void
  onPart(): void
}

/** What a program says, up to the limit. */
class OutputTaker {
  failure: { readonly cause: unknown } | undefined
  readonly #request: ProcessRequest
  readonly #events: OutputEvents
  readonly #parts: Record<OutputSource, Uint8Array[]> = { stdout: [], stderr: [] }
  #left: number

  constructor(request: ProcessRequest, events: OutputEvents) {
    this.#request = request
    this.#events = events
    this.#left = request.outputLimit
  }

  async take(stream: Readable, source: OutputSource): Promise<void> {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      const part = chunk.subarray(0, this.#left)
      this.#left -= part.length
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
