import { useEffect, useState } from 'react'
import type { Arrangement, ReadOptions, TableFacts } from './table-model.ts'
import { TableReader, type TableRow } from './table-reader.ts'

export interface OpenTable {
  readonly facts: TableFacts
  /** Rows that the filter leaves. */
  readonly count: number
  /** The rows that were asked for last, and where they begin. */
  readonly from: number
  readonly rows: readonly TableRow[]
  /** The first of all that are left. */
  readonly printed: readonly TableRow[]
}

/** So many rows can be printed: paper does not wait until a worker has answered. */
const PRINTED = 1000

interface TableOptions extends ReadOptions {
  readonly bytes: ArrayBuffer | undefined
  readonly encoding: string
  readonly arrangement: Arrangement
  /** The rows that are seen. */
  readonly window: readonly [from: number, to: number]
}

/** Follows every wish with what the worker makes of it; undefined until the table is there. @throws while rendering */
export function useTable({ bytes, encoding, separator, firstRowIsHead, arrangement, window }: TableOptions) {
  const [reader, setReader] = useState<TableReader>()
  const [facts, setFacts] = useState<TableFacts>()
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
  useFollow(
    async () => await (bytes && reader?.read(bytes, encoding, { separator, firstRowIsHead })),
    (read) => setFacts(read),
    setProblem,
    [reader, bytes, encoding, separator, firstRowIsHead],
  )
  const { filter, column, descending, locale } = arrangement
  useFollow(
    async () => await (facts && reader?.arrange({ filter, column, descending, locale })),
    (left) => {
      setCount(left ?? 0)
      setVersion((before) => before + 1)
    },
    setProblem,
    [reader, facts, filter, column, descending, locale],
  )
  const [from, to] = window
  useFollow(
    async () => await (version > 0 ? reader?.rows(from, to) : undefined),
    (rows) => setShown({ from, rows: rows ?? [] }),
    setProblem,
    [reader, version, from, to],
  )
  useFollow(
    async () => await (version > 0 ? reader?.rows(0, PRINTED) : undefined),
    (rows) => setPrinted(rows ?? []),
    setProblem,
    [reader, version],
  )
  if (problem !== undefined) throw problem
  return facts && ({ facts, count, ...shown, printed } satisfies OpenTable)
}

/** Runs whenever something of the list is new; an answer to what is no longer asked is dropped. */
function useFollow<Result>(
  run: () => Promise<Result>,
  take: (result: Result) => void,
  fail: (error: Error) => void,
  when: readonly unknown[],
): void {
  useEffect(() => {
    let current = true
    run().then(
      (result) => current && take(result),
      (error: unknown) => {
        const closed = error instanceof DOMException && error.name === 'AbortError'
        if (current && !closed) fail(error instanceof Error ? error : new Error(String(error)))
      },
    )
    return () => {
      current = false
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the caller lists what its functions depend on
  }, when)
}
