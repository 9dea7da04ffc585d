import { fail } from '../../domain/errors.ts'
import { createSerialQueue } from '../json/changes.ts'
import { connect, type Connection, databaseFailure, isLost } from './connection.ts'

/** A connection for transactions, one after another. It is opened when it is needed, and again after it was lost. */
export class Transactions implements AsyncDisposable {
  readonly #url: string
  readonly #queue = createSerialQueue()
  #connection: Connection | undefined
  #isClosed = false

  constructor(url: string) {
    this.#url = url
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
    return await this.#queue(async () => {
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
    const connection = (this.#connection = await connect(this.#url))
    return [connection, await begin(connection)]
  }

  /** If that fails too, the connection is lost, and the server rolls back. */
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

  /** After what has been asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue(async () => {
      this.#isClosed = true
      await this.#connection?.end().catch(() => undefined)
    })
  }
}
