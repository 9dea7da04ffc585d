import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { FilemgrError, cancelled } from '../../domain/errors.ts'
import { workerUrl } from '../workers/worker-messages.ts'
import type { FromProcess, Picture, ToProcess } from './image-messages.ts'

export interface PictureSource {
  /** Bytes. */
  readonly size: number
  /** Writes all bytes, without ending the destination. */
  send(destination: Writable): Promise<void>
}

export interface ProcessLimits {
  /** Milliseconds of processor time for one picture, and for starting; on a busy machine it may take six times as long. */
  readonly time: number
  /** Resident memory in bytes. */
  readonly memory: number
  /** Milliseconds that an aborted picture may still take: most are done sooner than a new process would start. */
  readonly grace: number
}

/** The process exited or was killed. */
export class ProcessEnded extends Error {
  readonly wasStarted: boolean
  /** By the kernel, for want of memory; not by us. */
  readonly wasKilled: boolean

  constructor(wasStarted: boolean, wasKilled = false) {
    super('the image process ended')
    this.wasStarted = wasStarted
    this.wasKilled = wasKilled
  }
}

interface Running {
  readonly id: number
  readonly resolve: (picture: Picture) => void
  readonly reject: (error: unknown) => void
}

const PAGE = 4096
/** Milliseconds of a clock tick in /proc, see proc_pid_stat(5). */
const TICK = 10
/** The process has a low priority, so others may keep it waiting. */
const MOST_WAITING = 6
const SHORTEST_CHECK = 100
/** Milliseconds between checks of the memory. */
const MEMORY_CHECK_INTERVAL = 25
/**
 * In KiB. Enforced by the kernel, for memory that grows between two checks. Includes half a gibibyte that V8 reserves and never
 * uses.
 */
const DATA_LIMIT = 1_280 * 1024
/**
 * No core dumps, no files: an attacker who takes over the process cannot write anything. If the machine has no memory left, the
 * kernel ends this process rather than the daemon.
 */
const LIMITS = `(echo 1000 >/proc/$$/oom_score_adj) 2>/dev/null; ulimit -d ${DATA_LIMIT}; ulimit -c 0; ulimit -f 0; exec "$0" "$@"`
const FLAGS = [
  ...['--permission', '--allow-addons', '--allow-fs-read=*'],
  // The work is done in native code, so a small JavaScript heap is enough.
  ...['--max-old-space-size=192', '--optimize-for-size', '--v8-pool-size=1'],
]

/** A process that resizes pictures, one at a time. It must be replaced once `isAlive` is false. */
export class ImageProcess {
  readonly #child: ChildProcess
  readonly #limits: ProcessLimits
  readonly #ready = Promise.withResolvers<void>()
  #running: Running | undefined
  #lastId = 0
  #death: unknown
  #isStarted = false
  #isAlive = true

  /** @param onEnd called when it no longer has any memory */
  constructor(limits: ProcessLimits, onEnd: () => void) {
    this.#limits = limits
    const entry = fileURLToPath(workerUrl('./image-worker', import.meta.url))
    const { LD_LIBRARY_PATH } = process.env
    this.#child = spawn('/bin/sh', ['-c', LIMITS, process.execPath, ...FLAGS, entry], {
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: {
        ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }),
        MALLOC_ARENA_MAX: '2',
        UV_THREADPOOL_SIZE: '2',
        VIPS_BLOCK_UNTRUSTED: '1',
      },
    })
    this.#ready.promise.catch(() => undefined)
    // Writing fails once the process has ended; the "exit" event reports that.
    this.#child.stdin?.on('error', () => undefined)
    this.#child.on('error', (error) => {
      this.#die(error)
      // Without a process, nothing exits.
      if (this.#child.pid === undefined) onEnd()
    })
    this.#child.on('exit', (_code, signal) => {
      this.#die(new ProcessEnded(this.#isStarted, signal === 'SIGKILL'))
      onEnd()
    })
    this.#child.on('message', (message: FromProcess) => this.#receive(message))
    this.unref()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** @throws UNSUPPORTED, TOO_LARGE, CANCELLED, NOT_IMPLEMENTED if the image library cannot be loaded; what the source throws */
  async make(task: ToProcess['task'], source: PictureSource, signal?: AbortSignal): Promise<Picture> {
    this.#ref()
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
      // A broken pipe means that the process ended, even if its "exit" event is still to come.
      source.send(stdin).catch((error: unknown) => this.#die(stdin.destroyed ? new ProcessEnded(true) : error))
      return await promise
    } catch (error) {
      // Why the process ended says more than the broken pipe that followed.
      throw this.#isAlive ? error : this.#death
    } finally {
      this.#running = undefined
    }
  }

  /** Lets our program exit while the process is idle; the process then ends too. */
  unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
    this.#setInputRef('unref')
  }

  /** @param reason rejects the picture in progress */
  kill(reason: unknown): void {
    this.#die(reason)
  }

  #ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
    this.#setInputRef('ref')
  }

  /** The pipe to a child is a socket, although its type is a plain stream. */
  #setInputRef(change: 'ref' | 'unref'): void {
    const { stdin } = this.#child
    if (stdin !== null && change in stdin) (stdin as unknown as Record<typeof change, () => void>)[change]()
  }

  /** Bounds time and memory: the attack is a picture crafted to use endless amounts of them. */
  #guard(signal: AbortSignal | undefined): Disposable {
    const { time, memory, grace } = this.#limits
    const [began, end] = [this.#processorTime(), performance.now() + time * MOST_WAITING]
    const checkTime = () => {
      const left = Math.min(time - (this.#processorTime() - began), end - performance.now())
      if (left > 0) slow = setTimeout(checkTime, Math.max(left, SHORTEST_CHECK))
      else this.#die(new FilemgrError('UNSUPPORTED', 'the picture takes too long to decode'))
    }
    let slow = setTimeout(checkTime, time)
    const watch = setInterval(() => {
      if (this.#memory() > memory)
        this.#die(new FilemgrError('TOO_LARGE', 'the picture takes too much memory to decode'))
    }, MEMORY_CHECK_INTERVAL)
    let graceTimer: NodeJS.Timeout | undefined
    const onAbort = () => {
      graceTimer = setTimeout(() => this.#die(cancelled()), grace)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    return {
      [Symbol.dispose]() {
        clearTimeout(slow)
        clearInterval(watch)
        clearTimeout(graceTimer)
        signal?.removeEventListener('abort', onAbort)
      },
    }
  }

  #memory(): number {
    return Number(this.#read('statm').split(' ')[1] ?? 0) * PAGE
  }

  #processorTime(): number {
    const stat = this.#read('stat')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK
  }

  /** @returns "" if the process has ended */
  #read(name: 'stat' | 'statm'): string {
    try {
      return readFileSync(`/proc/${this.#child.pid ?? 0}/${name}`, 'latin1')
    } catch {
      return ''
    }
  }

  #receive(message: FromProcess): void {
    if (message.type === 'ready') {
      this.#isStarted = true
      this.#ready.resolve()
    } else if (message.type === 'unavailable') {
      const text = 'pictures cannot be resized: the image library does not start'
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
