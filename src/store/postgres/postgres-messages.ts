import { isFilemgrError } from '../../domain/errors.ts'
import { parseJson } from '../../domain/schema/parse-value.ts'
import { MESSAGE_SIZE, type MessageListener, type Messages } from '../store.ts'
import type { Connection } from './connection.ts'
import type { Transactions } from './transactions.ts'

const CHANNEL = 'filemgr_messages'
/** Milliseconds for which messages are collected into one notification. */
const GATHER = 20
/** Milliseconds until the next try while the database is away. */
const RETRY = 1000
/** Messages that wait at most; more are dropped and become a gap. */
const MAX_WAITING = 1000

type Message = readonly [kind: string, content: unknown]

/** The content of a notification. By its number, receivers notice a missed or repeated one. */
interface Parcel {
  readonly from: string
  readonly number: number
  readonly messages: readonly Message[]
  readonly gap?: true
}

/**
 * Sends messages as notifications of PostgreSQL, which delivers them in order to each session that listens. A daemon misses those
 * that are sent while it has no connection, so each new connection counts as a gap. Numbers reveal any other loss.
 */
export class PostgresMessages implements Messages, Disposable {
  readonly #from: string
  readonly #link: Pick<Transactions, 'query'>
  readonly #listeners = new Set<MessageListener>()
  /** Number of the last parcel from each daemon. */
  readonly #heard = new Map<string, number>()
  /** Messages to send, as JSON. */
  #waiting: string[] = []
  #hasGap = false
  #number = 0
  /** The parcel on its way, which may have to be sent again. */
  #parcel: string | undefined
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #hasListened = false
  #isClosed = false

  /** @param from names this daemon */
  constructor(link: Pick<Transactions, 'query'>, from: string) {
    this.#link = link
    this.#from = from
  }

  send(kind: string, content: unknown): boolean {
    const text = JSON.stringify([kind, content])
    if (Buffer.byteLength(text) > MESSAGE_SIZE || this.#waiting.length >= MAX_WAITING) {
      this.#hasGap = true
      this.#waiting = []
    } else this.#waiting.push(text)
    this.#sendSoon(GATHER)
    return true
  }

  subscribe(listener: MessageListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Listens on a new connection. */
  async attach(connection: Connection): Promise<void> {
    connection.on('notification', ({ payload = '' }) => this.#receive(payload))
    // Reconnects at once, instead of with the next statement.
    connection.once('end', () => this.#reconnect())
    await connection.query(`LISTEN ${CHANNEL}`)
    if (this.#hasListened) this.#notifyGap()
    this.#hasListened = true
  }

  #receive(payload: string): void {
    const parcel = parseJson(payload) as Parcel | undefined
    // From another program.
    if (parcel === undefined) {
      this.#notifyGap()
      return
    }
    const { from, number, messages, gap } = parcel
    if (from === this.#from) return
    const last = this.#heard.get(from) ?? number - 1
    if (number <= last) return
    this.#heard.set(from, number)
    if (gap === true || number > last + 1) this.#notifyGap()
    for (const [kind, content] of messages) for (const listener of this.#listeners) listener.received(kind, content)
  }

  #notifyGap(): void {
    this.#heard.clear()
    for (const listener of this.#listeners) listener.gap()
  }

  #reconnect(): void {
    if (this.#isClosed) return
    setTimeout(() => {
      if (!this.#isClosed) void this.#link.query('SELECT 1').catch(() => this.#reconnect())
    }, RETRY / 2).unref()
  }

  #sendSoon(milliseconds: number): void {
    if (this.#isClosed || this.#sending !== undefined) return
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref()
  }

  /** Sends all waiting messages. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    try {
      for (;;) {
        this.#parcel ??= this.#nextParcel()
        if (this.#parcel === undefined) return
        await this.#link.query('SELECT pg_notify($1, $2)', [CHANNEL, this.#parcel])
        this.#parcel = undefined
      }
    } catch (error) {
      if (isFilemgrError(error, 'CANCELLED')) return
      // `Database` logs that the database is away.
      setTimeout(() => this.#sendSoon(0), RETRY).unref()
    }
  }

  #nextParcel(): string | undefined {
    if (this.#waiting.length === 0 && !this.#hasGap) return undefined
    const texts: string[] = []
    let size = 0
    while (this.#waiting[0] !== undefined) {
      size += Buffer.byteLength(this.#waiting[0]) + 1
      if (texts.length > 0 && size > MESSAGE_SIZE) break
      texts.push(...this.#waiting.splice(0, 1))
    }
    this.#number += 1
    const gap = this.#hasGap ? ',"gap":true' : ''
    this.#hasGap = false
    return `{"from":${JSON.stringify(this.#from)},"number":${this.#number}${gap},"messages":[${texts.join(',')}]}`
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }
}
