import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { runtimeFolder } from '../../context/daemon-record.ts'
import { FilemgrError } from '../../domain/errors.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { isDaemonAlive } from '../../platform/network/daemon-socket.ts'
import { MEMBER_VARIABLE } from '../../platform/processes/member.ts'
import type { Order, Report, Serving } from './orders.ts'

/** Milliseconds before a daemon that has died is started again: twice as long after each time, until it has run for a while. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 30_000
const CALM = 60_000

/** Milliseconds between two questions whether a daemon is alive, and how often it may fail to answer before it is killed. */
const ASK = 30_000
const MAX_SILENCES = 4

/** Milliseconds that requests get to complete when all stop. */
const STOP = 8000

export interface KeeperOptions {
  readonly number: number
  readonly count: number
  readonly dataFolder: string
  /** That of the daemons: the supervisor has another one. */
  readonly umask: number
}

/** Keeps one of the daemons running. */
export class Keeper {
  readonly #options: KeeperOptions
  #run: Run
  #replaced: PromiseWithResolvers<undefined> | undefined

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#run = new Run(options, '/first')
  }

  /** Of the daemon that runs now. Rejects if it ends before, with its reason. */
  get serving(): Promise<Serving> {
    return this.#run.serving
  }

  /** Resolves when the daemon that runs now has ended. @returns how, for people */
  get ended(): Promise<string> {
    return this.#run.ended
  }

  announce(): void {
    this.#run.order('announce')
  }

  /** The daemon opens its log files again, and reads a renewed certificate. */
  reload(): void {
    if (this.#run.isServing) this.#run.kill('SIGHUP')
  }

  /** Resolves when another daemon serves instead of the one that runs now. */
  async replace(): Promise<void> {
    this.#replaced ??= Promise.withResolvers<undefined>()
    this.#run.giveWay()
    await this.#replaced.promise
  }

  /** Ends the daemon. One that just gives way has more time for transfers than there is now. */
  async stop(): Promise<void> {
    const run = this.#run
    const overdue = run.isGivingWay ? setTimeout(() => run.kill('SIGKILL'), STOP) : undefined
    if (run.isServing) run.order('stop')
    else run.kill('SIGTERM')
    await run.ended
    clearTimeout(overdue)
  }

  /** Starts the daemon again whenever it ends. */
  async keep(stop: AbortSignal, log: Logger): Promise<void> {
    const { number, dataFolder } = this.#options
    const watch = setInterval(() => void this.#run.killIfSilent(runtimeFolder(dataFolder, number), log), ASK)
    stop.addEventListener('abort', () => clearInterval(watch))
    for (let deaths = 0; ;) {
      const begun = performance.now()
      const how = await this.#run.ended
      if (stop.aborted) return
      if (this.#run.isGivingWay) deaths = 0
      else {
        deaths = performance.now() - begun > CALM ? 0 : deaths + 1
        log.warn(`daemon ${number} has ended and is started again: ${how}`)
        const time = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** deaths)
        const isOver = await pause(time, undefined, { signal: stop }).then(
          () => false,
          () => true,
        )
        if (isOver) return
      }
      this.#run = new Run(this.#options)
      const serves = await this.#run.serving.then(
        () => true,
        () => false,
      )
      if (!serves) continue
      log.info(`daemon ${number} serves again`)
      this.#replaced?.resolve(undefined)
      this.#replaced = undefined
    }
  }
}

/** One run of a daemon. */
class Run {
  readonly #worker: Worker
  readonly #number: number
  readonly #serving = Promise.withResolvers<Serving>()
  readonly #ended = Promise.withResolvers<string>()
  #silences = 0
  isServing = false
  isGivingWay = false

  constructor({ number, count, umask }: KeeperOptions, start = '') {
    this.#number = number
    const ownMask = process.umask(umask)
    // The supervisor reports to systemd for all.
    this.#worker = cluster.fork({ [MEMBER_VARIABLE]: `${number}/${count}${start}`, NOTIFY_SOCKET: '' })
    process.umask(ownMask)
    let problem: FilemgrError | undefined
    this.#worker.on('message', (report: Report) => {
      if ('problem' in report) {
        const { code, message, details } = report.problem
        problem = new FilemgrError(code, message, details)
        return
      }
      this.isServing = true
      this.#serving.resolve(report.serving)
    })
    // Something was sent to a daemon that has just died.
    this.#worker.on('error', () => undefined)
    this.#worker.once('exit', (code: number | null, signal: string | null) => {
      this.isServing = false
      const how = problem?.message ?? (code === null ? `signal ${signal}` : `exit code ${code}`)
      this.#serving.reject(problem ?? new FilemgrError('INTERNAL', `daemon ${number} ended before it served: ${how}`))
      this.#ended.resolve(how)
    })
    // Those who await it get the error; without one, a rejection would end the process.
    this.serving.catch(() => undefined)
  }

  get serving(): Promise<Serving> {
    return this.#serving.promise
  }

  get ended(): Promise<string> {
    return this.#ended.promise
  }

  order(order: Order): void {
    if (this.#worker.isConnected()) this.#worker.send(order)
  }

  /** Does nothing if it is just starting, since it is new then. */
  giveWay(): void {
    if (!this.isServing) return
    this.isGivingWay = true
    this.order('giveWay')
  }

  kill(signal: NodeJS.Signals): void {
    this.#worker.process.kill(signal)
  }

  /** Kills a daemon whose event loop stands still. */
  async killIfSilent(runtime: string, log: Logger): Promise<void> {
    if (!this.isServing) return
    this.#silences = (await isDaemonAlive(runtime)) === false ? this.#silences + 1 : 0
    if (this.#silences < MAX_SILENCES) return
    log.error(`daemon ${this.#number} does not answer and is killed`)
    this.kill('SIGKILL')
  }
}
