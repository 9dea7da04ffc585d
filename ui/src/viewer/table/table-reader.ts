import type { Arrangement, ReadOptions, TableFacts, TableModel } from './table-model.ts'

export type TableRow = ReturnType<TableModel['rows']>[number]

type Asked =
  | { readonly kind: 'read'; readonly bytes: ArrayBuffer; readonly encoding: string; readonly options: ReadOptions }
  | { readonly kind: 'arrange'; readonly arrangement: Arrangement }
  | { readonly kind: 'rows'; readonly from: number; readonly to: number }

export type TableQuestion = Asked & { readonly id: number }

export interface TableAnswer {
  readonly id: number
  readonly result: TableFacts | number | TableRow[]
}

/** A table in a worker: it is read, chosen from and sorted there, and only the rows that are seen come over. */
export class TableReader {
  readonly #worker = new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module', name: 'table' })
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  #lastId = 0

  constructor() {
    this.#worker.onmessage = ({ data: { id, result } }: MessageEvent<TableAnswer>) => {
      this.#waiting.get(id)?.resolve(result as never)
      this.#waiting.delete(id)
    }
    this.#worker.onerror = (event) => {
      event.preventDefault()
      this.#fail(new Error(`The table could not be read: ${event.message}`))
    }
  }

  read(bytes: ArrayBuffer, encoding: string, options: ReadOptions): Promise<TableFacts> {
    return this.#ask({ kind: 'read', bytes, encoding, options })
  }

  /** How many rows are left. */
  arrange(arrangement: Arrangement): Promise<number> {
    return this.#ask({ kind: 'arrange', arrangement })
  }

  rows(from: number, to: number): Promise<TableRow[]> {
    return this.#ask({ kind: 'rows', from, to })
  }

  close(): void {
    this.#worker.terminate()
    this.#fail(new DOMException('The table was closed.', 'AbortError'))
  }

  async #ask<Result>(asked: Asked): Promise<Result> {
    const id = ++this.#lastId
    return await new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ ...asked, id })
    })
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
