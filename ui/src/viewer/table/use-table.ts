import { useEffect, useState } from 'react'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { type Client, useClient } from '../../api/client.ts'
import { likelyEncodings } from '../../api/text-file.ts'
import type { Arrangement, ReadOptions, TableFacts, TableModel } from './table-model.ts'

export interface OpenTable {
  readonly facts: ReadFacts
  /** Number of rows that pass the filter. */
  readonly count: number
  /** The rows in view, and the index of the first. */
  readonly from: number
  readonly rows: readonly TableRow[]
  /** The first rows that pass the filter, for printing. */
  readonly printed: readonly TableRow[]
}

/** Rows fetched in advance for printing, which cannot wait for the worker. */
const MAX_PRINTED = 1000

interface TableOptions extends ReadOptions {
  readonly bytes: ArrayBuffer | undefined
  /** Detected if it is undefined. */
  readonly encoding: Encoding | undefined
  readonly arrangement: Arrangement
  /** The rows in view. */
  readonly window: readonly [from: number, to: number]
}

/** The table as read, filtered and sorted by a worker; undefined until it is loaded. @throws while rendering */
export function useTable({ bytes, encoding, separator, firstRowIsHead, arrangement, window }: TableOptions) {
  const [reader, setReader] = useState<TableReader>()
  const client = useClient()
  const [facts, setFacts] = useState<ReadFacts>()
  const [count, setCount] = useState(0)
  const [version, setVersion] = useState(0)
  const [shown, setShown] = useState<{ from: number; rows: readonly TableRow[] }>({ from: 0, rows: [] })
  const [printed, setPrinted] = useState<readonly TableRow[]>([])
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    const made = new TableReader()
    setReader(made)
    return () => made.close()
  }, [])
  useLatest(
    async () => {
      if (bytes === undefined || reader === undefined) return undefined
      return await reader.read(bytes, encoding ?? (await detect(client, reader, bytes)), { separator, firstRowIsHead })
    },
    (read) => setFacts(read),
    setProblem,
    [client, reader, bytes, encoding, separator, firstRowIsHead],
  )
  const { filter, column, descending, locale } = arrangement
  useLatest(
    async () => await (facts && reader?.arrange({ filter, column, descending, locale })),
    (matching) => {
      setCount(matching ?? 0)
      setVersion((before) => before + 1)
    },
    setProblem,
    [reader, facts, filter, column, descending, locale],
  )
  const [from, to] = window
  useLatest(
    async () => await (version > 0 ? reader?.rows(from, to) : undefined),
    (rows) => setShown({ from, rows: rows ?? [] }),
    setProblem,
    [reader, version, from, to],
  )
  useLatest(
    async () => await (version > 0 ? reader?.rows(0, MAX_PRINTED) : undefined),
    (rows) => setPrinted(rows ?? []),
    setProblem,
    [reader, version],
  )
  if (problem !== undefined) throw problem
  return facts && ({ facts, count, ...shown, printed } satisfies OpenTable)
}

/** The encoding that the bytes prove, or those that the server thinks likely. @throws ApiError */
async function detect(client: Client, reader: TableReader, bytes: ArrayBuffer): Promise<ReadEncoding> {
  const found = await reader.prove(bytes)
  return found instanceof Uint8Array ? await likelyEncodings(client, found) : found
}

/** Runs when a dependency changes; the result of an outdated run is dropped. */
function useLatest<Result>(
  run: () => Promise<Result>,
  onResult: (result: Result) => void,
  onError: (error: Error) => void,
  dependencies: readonly unknown[],
): void {
  useEffect(() => {
    let current = true
    run().then(
      (result) => current && onResult(result),
      (error: unknown) => {
        const closed = error instanceof DOMException && error.name === 'AbortError'
        if (current && !closed) onError(error instanceof Error ? error : new Error(String(error)))
      },
    )
    return () => {
      current = false
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the caller lists what its functions depend on
  }, dependencies)
}

type TableRow = ReturnType<TableModel['rows']>[number]

/** Of several, the first in which the table is valid. */
export type ReadEncoding = Encoding | readonly Encoding[]

interface ReadFacts extends TableFacts {
  readonly encoding: Encoding
}

type RequestBody =
  | { readonly kind: 'prove'; readonly bytes: ArrayBuffer }
  | {
      readonly kind: 'read'
      readonly bytes: ArrayBuffer
      readonly encoding: ReadEncoding
      readonly options: ReadOptions
    }
  | { readonly kind: 'arrange'; readonly arrangement: Arrangement }
  | { readonly kind: 'rows'; readonly from: number; readonly to: number }

export type TableRequest = RequestBody & { readonly id: number }

export interface TableResponse {
  readonly id: number
  readonly result: ReadFacts | ReadEncoding | Uint8Array | number | TableRow[]
}

/** A table in a worker, which parses, filters and sorts it and returns only the rows asked for. */
class TableReader {
  readonly #worker = new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module', name: 'table' })
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  #lastId = 0

  constructor() {
    this.#worker.onmessage = ({ data: { id, result } }: MessageEvent<TableResponse>) => {
      this.#waiting.get(id)?.resolve(result as never)
      this.#waiting.delete(id)
    }
    this.#worker.onerror = (event) => {
      event.preventDefault()
      this.#fail(new Error(`The table could not be read: ${event.message}`))
    }
  }

  /** @returns the encoding that the bytes prove, or else a sample of them */
  prove(bytes: ArrayBuffer): Promise<ReadEncoding | Uint8Array> {
    return this.#ask({ kind: 'prove', bytes })
  }

  read(bytes: ArrayBuffer, encoding: ReadEncoding, options: ReadOptions): Promise<ReadFacts> {
    return this.#ask({ kind: 'read', bytes, encoding, options })
  }

  /** @returns the number of rows that pass the filter */
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

  async #ask<Result>(body: RequestBody): Promise<Result> {
    const id = ++this.#lastId
    return await new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ ...body, id })
    })
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
