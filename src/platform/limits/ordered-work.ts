import { foldName } from '../../domain/text/fold.ts'

/** What may run at the same time: how many, and the sum of their sizes. */
export interface AtOnce {
  readonly count: number
  readonly size: number
}

interface Piece {
  /** Paths that it reads or writes. */
  readonly paths: readonly string[]
  readonly size: number
  /** It runs with nothing beside it. */
  readonly isAlone?: boolean
}

/**
 * Runs pieces of one request at the same time, so that they share the syncs of the disk, but with the result of one after the other: a
 * piece waits for those before it that have a path of it, one above it or one inside it.
 */
export class OrderedWork implements AsyncDisposable {
  readonly #atOnce: AtOnce
  readonly #running = new Map<Promise<void>, Piece>()
  #failure: { readonly error: unknown } | undefined

  constructor(atOnce: AtOnce) {
    this.#atOnce = atOnce
  }

  /** Resolves when the next piece may be added. @throws what a piece has thrown */
  async add({ paths, size, isAlone = false }: Piece, run: () => Promise<void>): Promise<void> {
    const piece = { paths: paths.map(foldName), size }
    while (this.#running.size > 0 && (isAlone || this.#mustWait(piece))) await Promise.race(this.#running.keys())
    this.#requireNone()
    const done = run()
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => this.#running.delete(done))
    this.#running.set(done, piece)
    if (isAlone) await this.end()
  }

  /** Waits for all. @throws what a piece has thrown */
  async end(): Promise<void> {
    await Promise.all(this.#running.keys())
    this.#requireNone()
  }

  #mustWait({ paths, size }: Piece): boolean {
    const others = [...this.#running.values()]
    if (others.length >= this.#atOnce.count) return true
    if (others.reduce((sum, other) => sum + other.size, size) > this.#atOnce.size) return true
    return others.some((other) => other.paths.some((one) => paths.some((path) => isNear(one, path))))
  }

  #requireNone(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.keys())
  }
}

function isNear(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
}
