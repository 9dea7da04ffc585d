import { setTimeout as wait } from 'node:timers/promises'

/** Messages that wait at most, and their bytes. */
const MAX_WAITING = 10_000
const MAX_BYTES = 16 * 1024 * 1024
/** Milliseconds between two attempts to connect: the first, and the longest. */
const RETRY = { first: 500, longest: 30_000 } as const
/** Milliseconds that the end waits for the rest to be sent. */
const PATIENCE = 2000

/** To the receiver of the messages. Once it has failed, it is closed and replaced. */
export interface Connection<T> {
  /** Resolves when the message is on its way. */
  send(message: T): Promise<void>
  readonly isBroken: boolean
  /** Resolves once what was sent is out of this process. */
  close(): Promise<void>
}

export interface OutboxOptions<T> {
  readonly open: () => Promise<Connection<T>>
  /** The message that says how many found no room, sent before the next one. */
  readonly lostMessage: (lost: number) => T
  readonly onDown: (error: unknown) => void
  /** Called when messages are taken again. @param lost how many found no room meanwhile */
  readonly onUp: (lost: number) => void
}

/** Sends messages in order, without making anybody wait. While the receiver is away, a bounded number waits; the rest is counted. */
export class Outbox<T> implements AsyncDisposable {
  readonly #options: OutboxOptions<T>
  readonly #waiting: { readonly message: T; readonly size: number }[] = []
  readonly #end = new AbortController()
  #bytes = 0
  #lost = 0
  #isDown = false
  #connection: Connection<T> | undefined
  #sending: Promise<void> | undefined

  constructor(options: OutboxOptions<T>) {
    this.#options = options
  }

  /** @param size its bytes, roughly */
  push(message: T, size: number): void {
    if (this.#waiting.length >= MAX_WAITING || this.#bytes + size > MAX_BYTES || this.#end.signal.aborted) {
      this.#lost += 1
      return
    }
    this.#waiting.push({ message, size })
    this.#bytes += size
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
  }

  async #sendAll(): Promise<void> {
    let pause: number = RETRY.first
    while (this.#waiting.length > 0 && !this.#end.signal.aborted) {
      try {
        await this.#sendNext()
        pause = RETRY.first
      } catch (error) {
        await this.#connection?.close().catch(() => undefined)
        this.#connection = undefined
        if (!this.#isDown) this.#options.onDown(error)
        this.#isDown = true
        // Must not keep a command, or a daemon that stops, from ending.
        await wait(pause, undefined, { signal: this.#end.signal, ref: false }).catch(() => undefined)
        pause = Math.min(2 * pause, RETRY.longest)
      }
    }
  }

  async #sendNext(): Promise<void> {
    if (this.#connection?.isBroken === true) {
      await this.#connection.close().catch(() => undefined)
      this.#connection = undefined
    }
    const connection = (this.#connection ??= await this.#options.open())
    const lost = this.#lost
    if (lost > 0) {
      await connection.send(this.#options.lostMessage(lost))
      this.#lost -= lost
    }
    const [next] = this.#waiting
    if (next !== undefined) await connection.send(next.message)
    this.#waiting.shift()
    this.#bytes -= next?.size ?? 0
    if (this.#isDown) this.#options.onUp(lost)
    this.#isDown = false
  }

  /** @returns how many messages were not sent */
  async end(): Promise<number> {
    await Promise.race([this.#sending, wait(PATIENCE, undefined, { signal: this.#end.signal }).catch(() => undefined)])
    this.#end.abort()
    await this.#connection?.close().catch(() => undefined)
    return this.#waiting.length + this.#lost
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }
}
