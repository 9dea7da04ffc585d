import type { QueryResultRow } from 'pg'
import { fail } from '../../domain/errors.ts'
import { traced, TRACES } from '../../platform/traces.ts'
import { createSerialQueue } from '../json/changes.ts'
import { connect, type Connection, databaseFailure, isLost } from './connection.ts'

/** Runs transactions on one connection, one after another. Connects on first use, and again after the connection was lost. */
export class Transactions implements AsyncDisposable {
  readonly #url: string
  readonly #prepare: (connection: Connection) => Promise<void>
  readonly #queue = createSerialQueue()
  #connection: Connection | undefined
  #isClosed = false

  /** @param prepare called with each new connection */
  constructor(url: string, prepare: (connection: Connection) => Promise<void> = async () => undefined) {
    this.#url = url
    this.#prepare = prepare
  }

  /** Runs one statement; repeats it if the connection was lost, so it may take effect twice. */
  async query<R extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const ask = async (connection: Connection) => await connection.query<R>(text, [...values])
    return await this.run(ask, async (_connection, { rows }) => await Promise.resolve(rows))
  }

  /**
   * @param begin begins the transaction; repeated if the connection was lost while it was idle
   * @param work commits it; otherwise it is rolled back
   * @throws STORE_BUSY, STORE_INVALID, NO_SPACE, CANCELLED, and what `work` throws
   */
  async run<B, T>(
    begin: (connection: Connection) => Promise<B>,
    work: (connection: Connection, begun: B) => Promise<T>,
  ): Promise<T> {
    const turn = Promise.withResolvers<void>()
    void traced(TRACES.turn, async () => await turn.promise)
    return await this.#queue(async () => {
      turn.resolve()
      if (this.#isClosed) fail('CANCELLED', 'The store is closed.')
      try {
        const [connection, begun] = await this.#begin(begin)
        return await work(connection, begun)
      } catch (error) {
        await this.#rollBack()
        throw databaseFailure(error)
      }
    })
  }

  async #begin<B>(begin: (connection: Connection) => Promise<B>): Promise<[connection: Connection, begun: B]> {
    const kept = this.#connection
    try {
      if (kept !== undefined) return [kept, await begin(kept)]
    } catch (error) {
      if (!isLost(error)) throw error
      this.#drop()
    }
    const connection = await connect(this.#url)
    try {
      await this.#prepare(connection)
    } catch (error) {
      void connection.end().catch(() => undefined)
      throw error
    }
    this.#connection = connection
    return [connection, await begin(connection)]
  }

  /** If this fails too, the connection is lost, and the server rolls back by itself. */
  async #rollBack(): Promise<void> {
    try {
      await this.#connection?.query('ROLLBACK')
    } catch {
      this.#drop()
    }
  }

  #drop(): void {
    void this.#connection?.end().catch(() => undefined)
    this.#connection = undefined
  }

  /** Closes the connection after all requested transactions. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue(async () => {
      this.#isClosed = true
      await this.#connection?.end().catch(() => undefined)
    })
  }
}
