import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { FilemgrError, cancelled } from '../../domain/errors.ts'
import { workerUrl } from '../workers/worker-messages.ts'
import type { FromProcess, Picture, PictureTask, ToProcess } from './image-messages.ts'

/** The bytes of a picture, wherever they come from. */
export interface PictureSource {
  readonly size: number
  /** Writes all of them, without ending the destination. */
  send(destination: Writable): Promise<void>
}

export interface ProcessLimits {
  /** Milliseconds for one picture, and for the start. */
  readonly time: number
  /** Resident memory in bytes. */
  readonly memory: number
  /** Milliseconds that an abandoned picture may still take: starting a new process costs more than most pictures. */
  readonly grace: number
}

/** The process ended by itself or was killed. */
export class ProcessEnded extends Error {
  readonly wasStarted: boolean

  constructor(wasStarted: boolean) {
    super('the process that makes pictures ended')
    this.wasStarted = wasStarted
  }
}

interface Running {
  readonly id: number
  readonly resolve: (picture: Picture) => void
  readonly reject: (error: unknown) => void
}

const PAGE = 4096
/** Milliseconds between two looks at the memory. */
const LOOK_EACH = 25
/**
 * In KiB: the kernel's own bound on top, against what grows between two looks. The engine reserves half a gibibyte that it never
 * touches, which counts here.
 */
const DATA_LIMIT = 1_280 * 1024
/** No core dumps, no files: an attacker who takes over the process cannot write anything. Only fixed words become part of the line. */
const LIMITS = `ulimit -d ${DATA_LIMIT}; ulimit -c 0; ulimit -f 0; exec "$0" "$@"`
const FLAGS = [
  ...['--permission', '--allow-addons', '--allow-fs-read=*'],
  // Nearly all of the work is done outside of the engine.
  ...['--max-old-space-size=192', '--optimize-for-size', '--v8-pool-size=1'],
]

/** One process that makes pictures, one at a time. After an error that is not the picture's fault it is dead. */
export class ImageProcess {
  readonly #child: ChildProcess
  readonly #limits: ProcessLimits
  readonly #ready = Promise.withResolvers<void>()
  #running: Running | undefined
  #lastId = 0
  #death: unknown
  #isStarted = false
  #isAlive = true

  constructor(limits: ProcessLimits) {
    this.#limits = limits
    const entry = workerUrl('./image-worker', import.meta.url)
    const { LD_LIBRARY_PATH } = process.env
    this.#child = spawn('/bin/sh', ['-c', LIMITS, process.execPath, ...FLAGS, entry.pathname], {
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: {
        ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }),
        ...{ MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', VIPS_BLOCK_UNTRUSTED: '1' },
      },
    })
    this.#ready.promise.catch(() => undefined)
    // Writing to a process that died meanwhile; its death is told by "exit".
    this.#child.stdin?.on('error', () => undefined)
    this.#child.on('error', (error) => this.#die(error))
    this.#child.on('exit', () => this.#die(new ProcessEnded(this.#isStarted)))
    this.#child.on('message', (message: FromProcess) => this.#receive(message))
    this.rest()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** @throws UNSUPPORTED, TOO_LARGE, CANCELLED, NOT_IMPLEMENTED where pictures cannot be made at all; what the source throws */
  async make(task: PictureTask, source: PictureSource, signal?: AbortSignal): Promise<Picture> {
    this.#hold()
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<Picture>()
    this.#running = { id, resolve, reject }
    using _limits = this.#guard(signal)
    promise.catch(() => undefined)
    try {
      await this.#ready.promise
      const { stdin } = this.#child
      if (stdin === null) throw new Error('the process has no input')
      this.#child.send({ id, task, length: source.size } satisfies ToProcess, (error) => {
        if (error !== null) this.#die(new ProcessEnded(true))
      })
      // A pipe that breaks tells of a death before its event does.
      source.send(stdin).catch((error: unknown) => this.#die(stdin.destroyed ? new ProcessEnded(true) : error))
      return await promise
    } catch (error) {
      // Whatever it died of says more than the pipe that broke with it.
      throw this.#isAlive ? error : this.#death
    } finally {
      this.#running = undefined
    }
  }

  /** Lets this program end although the process is there; it ends then too. */
  rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
    this.#unrefInput('unref')
  }

  /** @param reason what waiting callers are told */
  kill(reason: unknown): void {
    this.#die(reason)
  }

  #hold(): void {
    this.#child.ref()
    this.#child.channel?.ref()
    this.#unrefInput('ref')
  }

  /** Node gives a pipe to a child as a socket, under the type of a plain stream. */
  #unrefInput(change: 'ref' | 'unref'): void {
    const { stdin } = this.#child
    if (stdin !== null && change in stdin) (stdin as unknown as Record<typeof change, () => void>)[change]()
  }

  /** Against pictures crafted to take endless time or memory. */
  #guard(signal: AbortSignal | undefined): Disposable {
    const { time, memory, grace } = this.#limits
    const slow = setTimeout(
      () => this.#die(new FilemgrError('UNSUPPORTED', 'the picture takes too long to decode')),
      time,
    )
    const watch = setInterval(() => {
      if (this.#memory() > memory)
        this.#die(new FilemgrError('TOO_LARGE', 'the picture takes too much memory to decode'))
    }, LOOK_EACH)
    let leaving: NodeJS.Timeout | undefined
    const onAbort = () => {
      leaving = setTimeout(() => this.#die(cancelled()), grace)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    return {
      [Symbol.dispose]() {
        clearTimeout(slow)
        clearInterval(watch)
        clearTimeout(leaving)
        signal?.removeEventListener('abort', onAbort)
      },
    }
  }

  #memory(): number {
    try {
      return Number(readFileSync(`/proc/${this.#child.pid ?? 0}/statm`, 'latin1').split(' ')[1]) * PAGE
    } catch {
      // It is ending.
      return 0
    }
  }

  #receive(message: FromProcess): void {
    if (message.type === 'ready') {
      this.#isStarted = true
      this.#ready.resolve()
    } else if (message.type === 'unavailable') {
      const text = 'pictures cannot be made smaller here: the image library does not start'
      this.#die(new FilemgrError('NOT_IMPLEMENTED', text, {}, { cause: message.message }))
    } else if (message.id === this.#running?.id) {
      if (message.type === 'picture') this.#running.resolve(message.picture)
      else this.#running.reject(new FilemgrError(message.code, message.message))
    }
  }

  #die(reason: unknown): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.#death = reason
    this.#child.kill('SIGKILL')
    this.#ready.reject(reason)
    this.#running?.reject(reason)
  }
}
