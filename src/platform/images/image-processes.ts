import { fail, cancelled } from '../../domain/errors.ts'
import { MEMORY_PLAN } from '../limits/memory-plan.ts'
import { HeavyMemory } from '../limits/heavy-memory.ts'
import { createLimiter } from '../limits/limiter.ts'
import { ImageProcess, ProcessEnded, type PictureSource, type ProcessLimits } from './image-process.ts'
import type { Picture, ToProcess } from './image-messages.ts'

export interface ImageProcessesOptions {
  /** Pictures that are decoded at the same time, each in its own process. */
  readonly size: number
  readonly limits?: Partial<ProcessLimits>
  /** Milliseconds without work after which a process ends, to free its memory. */
  readonly idle?: number
  /** Where each process takes its memory, as long as it lives. */
  readonly memory?: HeavyMemory
}

export interface PictureOrder {
  readonly task: ToProcess['task']
  /** A function is called when it is the picture's turn, so its work is limited like decoding. */
  readonly source: PictureSource | (() => Promise<PictureSource>)
  /** True for a picture with many pixels: only one is decoded at a time, because it may need all the memory of a process. */
  readonly isHeavy: boolean
  readonly signal?: AbortSignal | undefined
  /** Owners take turns. */
  readonly owner?: string
}

/** 400 MiB, the most that the plan gives, are enough for all but progressive JPEGs near 100 megapixels. */
const LIMITS: ProcessLimits = { time: 10_000, memory: MEMORY_PLAN.picture, grace: 1_000 }
/** Resident bytes of the program's code, which the kernel shares with the daemon and can read again. */
const CODE = 40 * 1024 * 1024
/** Each waiting picture holds a file open. */
const MAX_WAITING = 400

/** Resizes pictures, a few at a time, in processes that a malicious picture may crash. */
export interface Images extends AsyncDisposable {
  /** @throws UNSUPPORTED if it cannot be decoded; TOO_LARGE, BUSY, CANCELLED, NOT_IMPLEMENTED; what the source throws */
  make(order: PictureOrder): Promise<Picture>
}

export class ImageProcesses implements Images {
  readonly #options: ImageProcessesOptions
  readonly #all: ReturnType<typeof createLimiter>
  readonly #heavy = createLimiter({ concurrent: 1, waiting: MAX_WAITING })
  readonly #processes = new Set<ImageProcess>()
  readonly #idle: { readonly process: ImageProcess; readonly timer: NodeJS.Timeout }[] = []
  readonly #memory: HeavyMemory
  readonly #spare: Disposable
  #isClosed = false

  constructor(options: ImageProcessesOptions) {
    this.#options = options
    this.#memory = options.memory ?? new HeavyMemory()
    this.#spare = this.#memory.onWanted(() => this.#endIdle())
    this.#all = createLimiter({ concurrent: options.size, waiting: MAX_WAITING })
  }

  /** Ids of the live processes. */
  get pids(): number[] {
    return [...this.#processes].flatMap(({ isAlive, pid }) => (isAlive && pid !== undefined ? [pid] : []))
  }

  async make(order: PictureOrder): Promise<Picture> {
    const { signal, owner, isHeavy } = order
    const make = async () => await this.#all.run(async () => await this.#make(order), signal, owner)
    return isHeavy ? await this.#heavy.run(make, signal, owner) : await make()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#spare[Symbol.dispose]()
    for (const { timer } of this.#idle) clearTimeout(timer)
    for (const process of this.#processes) process.kill(new Error('the program ends'))
    this.#processes.clear()
  }

  /** Tries twice: something else may kill the process once, but after two crashes the picture is the likely cause. */
  async #make(order: PictureOrder): Promise<Picture> {
    const source = typeof order.source === 'function' ? await order.source() : order.source
    try {
      return await this.#tryOnce(order, source)
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error
    }
    try {
      return await this.#tryOnce(order, source)
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error
      if (error.wasKilled)
        return fail('BUSY', 'there is too little memory for this picture at the moment; try again later', {
          retryAfter: 10,
        })
      if (!error.wasStarted) throw new Error('the image process does not start', { cause: error })
      return fail('UNSUPPORTED', 'the picture cannot be decoded', {}, { cause: error })
    }
  }

  async #tryOnce({ task, signal }: PictureOrder, source: PictureSource): Promise<Picture> {
    const process = await this.#acquire(signal)
    try {
      return await process.make(task, source, signal)
    } finally {
      this.#giveBack(process)
    }
  }

  async #acquire(signal: AbortSignal | undefined): Promise<ImageProcess> {
    if (this.#isClosed) throw cancelled()
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (idle.process.isAlive) return idle.process
      this.#processes.delete(idle.process)
    }
    const limits = { ...LIMITS, ...this.#options.limits }
    return this.#start(limits, await this.#memory.acquire(Math.max(1, limits.memory - CODE), signal))
  }

  /** @throws CANCELLED */
  #start(limits: ProcessLimits, room: Disposable): ImageProcess {
    if (this.#isClosed) {
      room[Symbol.dispose]()
      throw cancelled()
    }
    const process = new ImageProcess(limits, () => room[Symbol.dispose]())
    this.#processes.add(process)
    return process
  }

  #giveBack(process: ImageProcess): void {
    if (!process.isAlive) {
      this.#processes.delete(process)
      return
    }
    process.unref()
    this.#idle.push({ process, timer: setTimeout(() => this.#end(process), this.#options.idle ?? 30_000).unref() })
    if (this.#memory.isWanted) this.#endIdle()
  }

  #endIdle(): void {
    for (const { process } of [...this.#idle]) this.#end(process)
  }

  /** @param process one that is idle */
  #end(process: ImageProcess): void {
    const [idle] = this.#idle.splice(
      this.#idle.findIndex((candidate) => candidate.process === process),
      1,
    )
    clearTimeout(idle?.timer)
    this.#processes.delete(process)
    process.kill(new Error('the image process was idle'))
  }
}
