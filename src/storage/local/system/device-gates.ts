import { clearInterval, setInterval } from 'node:timers'
import { DiskWait, DISK_TIMEOUT, diskStalled } from '../../../platform/limits/disk-wait.ts'

/** Milliseconds. Long, because a disk may take minutes to flush its write cache. */
export const SYNC_TIMEOUT = 300_000
const CHECK_INTERVAL = 1000

/** `content` transfers many bytes, `sync` waits until they are on the disk. A `close` is never refused: it would leak. */
export type CallKind = 'short' | 'content' | 'sync' | 'close'

interface Call {
  readonly kind: CallKind
  since: number
  readonly diskWait: DiskWait | undefined
  /** Undefined once it runs. */
  waiting: { readonly start: () => void; readonly refuse: (error: unknown) => void } | undefined
}

/**
 * Divides the threads for file system calls among devices, because a call to a stalled disk blocks its thread. Each device gets
 * at most half of the threads, and its content calls leave some of these to short calls. All devices together leave two threads
 * to the rest of the program, such as password hashing.
 */
export class DeviceGates {
  readonly #gates = new Map<string, Gate>()
  readonly #max: number
  readonly #maxTotal: number
  #running = 0
  /** Milliseconds, by checks: while the process was frozen, or its event loop busy, no disk had time to respond. */
  #now = 0
  #timer: NodeJS.Timeout | undefined

  /** @param threads size of the thread pool */
  constructor(threads: number) {
    this.#max = Math.max(2, Math.floor(threads / 2))
    this.#maxTotal = Math.max(2, threads - 2)
  }

  /** @throws BUSY if it waited too long to start */
  async run<T>(device: string, kind: CallKind, work: () => Promise<T>): Promise<T> {
    const gate = this.#gateOf(device)
    const call: Call = { kind, since: this.#now, diskWait: DiskWait.current, waiting: undefined }
    if (this.#running < this.#maxTotal && gate.hasRoom(call)) this.#start(gate, call)
    else await this.#wait(gate, call)
    try {
      return await work()
    } finally {
      this.#running -= 1
      gate.end(call, this.#now)
      this.#startWaiting()
    }
  }

  #gateOf(device: string): Gate {
    const known = this.#gates.get(device)
    if (known) return known
    const gate = new Gate(this.#max)
    this.#gates.set(device, gate)
    return gate
  }

  #start(gate: Gate, call: Call): void {
    this.#running += 1
    call.since = this.#now
    gate.start(call)
    this.#timer ??= setInterval(() => this.#checkTimeouts(), CHECK_INTERVAL).unref()
  }

  async #wait(gate: Gate, call: Call): Promise<void> {
    if (call.diskWait && call.kind !== 'close' && gate.isStalled(this.#now)) throw diskStalled()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    call.waiting = { start: resolve, refuse: reject }
    gate.queue(call)
    await promise
  }

  #startWaiting(): void {
    for (const gate of this.#gates.values()) {
      for (;;) {
        const call = this.#running < this.#maxTotal ? gate.next() : undefined
        if (call?.waiting === undefined) break
        const { start } = call.waiting
        call.waiting = undefined
        this.#start(gate, call)
        start()
      }
    }
  }

  #checkTimeouts(): void {
    this.#now += CHECK_INTERVAL
    for (const gate of this.#gates.values()) gate.checkTimeouts(this.#now)
    if (this.#running > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** The calls to one device; short calls go first. */
class Gate {
  readonly #max: number
  readonly #maxContent: number
  readonly #running = new Set<Call>()
  readonly #short = new Set<Call>()
  readonly #content = new Set<Call>()
  #contentRunning = 0
  #lastEnd = -Infinity

  constructor(max: number) {
    this.#max = max
    this.#maxContent = max - Math.max(1, Math.floor(max / 4))
  }

  hasRoom(call: Call): boolean {
    if (this.#running.size >= this.#max) return false
    return !isContent(call) || this.#contentRunning < this.#maxContent
  }

  start(call: Call): void {
    this.#running.add(call)
    if (isContent(call)) this.#contentRunning += 1
  }

  end(call: Call, now: number): void {
    this.#running.delete(call)
    this.#lastEnd = now
    if (isContent(call)) this.#contentRunning -= 1
  }

  queue(call: Call): void {
    ;(isContent(call) ? this.#content : this.#short).add(call)
  }

  /** Removes and returns the next call that may start. */
  next(): Call | undefined {
    for (const queue of [this.#short, this.#content]) {
      const [call] = queue
      if (call === undefined || !this.hasRoom(call)) continue
      queue.delete(call)
      return call
    }
    return undefined
  }

  /** True if no call has ended within the disk timeout. */
  isStalled(now: number): boolean {
    const [oldest] = this.#running
    return oldest !== undefined && now - Math.max(oldest.since, this.#lastEnd) > DISK_TIMEOUT
  }

  checkTimeouts(now: number): void {
    for (const call of this.#running) if (now - call.since > timeoutFor(call)) call.diskWait?.release()
    for (const queue of [this.#short, this.#content])
      for (const call of queue) {
        if (now - call.since <= DISK_TIMEOUT || call.diskWait === undefined) continue
        if (call.kind === 'close') {
          call.diskWait.release()
          continue
        }
        queue.delete(call)
        call.waiting?.refuse(diskStalled())
      }
  }
}

function isContent({ kind }: Call): boolean {
  return kind === 'content' || kind === 'sync'
}

function timeoutFor({ kind }: Call): number {
  return kind === 'sync' ? SYNC_TIMEOUT : DISK_TIMEOUT
}
