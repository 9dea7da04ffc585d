import Papa from 'papaparse'
import { foldForSearch } from '../../../../src/domain/text/fold.ts'

export interface ReadOptions {
  /** "" detects it from the first lines. */
  readonly separator: string
  readonly firstRowIsHead: boolean
}

export interface Arrangement {
  /** Keeps rows in which a cell contains this text, ignoring case and accents; "" keeps all rows. */
  readonly filter: string
  /** Index of the column to sort by; undefined keeps the order of the file. */
  readonly column?: number | undefined
  readonly descending?: boolean | undefined
  /** The language whose alphabet sorts the words (BCP 47). */
  readonly locale: string
}

type Order = Required<Pick<Arrangement, 'descending' | 'locale'>> & { readonly column: number }

export interface TableFacts {
  readonly columns: readonly string[]
  /** Characters in the longest cell of each column, among the first rows. */
  readonly widths: readonly number[]
  readonly rows: number
  /** The separator used. */
  readonly separator: string
}

const MEASURED_ROWS = 200

/** The rows of a CSV text (RFC 4180), filtered and sorted. */
export class TableModel {
  readonly facts: TableFacts
  readonly #rows: readonly (readonly string[])[]
  #order: readonly number[]

  constructor(source: string, { separator, firstRowIsHead }: ReadOptions) {
    const { text, named } = withoutSeparatorLine(source)
    const delimiter = separator === '' ? named : separator
    const { data, meta } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: 'greedy' })
    const [head = []] = data
    const rows = firstRowIsHead ? data.slice(1) : data
    const count = data.reduce((most, row) => Math.max(most, row.length), 0)
    const names = Array.from({ length: count }, (_, index) => (firstRowIsHead ? (head[index] ?? '') : ''))
    const measured = data.slice(0, MEASURED_ROWS)
    this.facts = {
      columns: names.map((name, index) => name || columnName(index)),
      widths: names.map((_, index) => measured.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0)),
      rows: rows.length,
      separator: meta.delimiter,
    }
    this.#rows = rows
    this.#order = [...rows.keys()]
  }

  /** Filters and sorts. @returns the number of rows that pass the filter */
  arrange({ filter, column, descending = false, locale }: Arrangement): number {
    const query = foldForSearch(filter.trim())
    const matches = (row: readonly string[]) => row.some((cell) => foldForSearch(cell).includes(query))
    const all = [...this.#rows.keys()]
    const matching = query === '' ? all : all.filter((index) => matches(this.#rows[index] ?? []))
    this.#order = column === undefined ? matching : this.#sorted(matching, { column, descending, locale })
    return this.#order.length
  }

  /** A range of the filtered rows, with their numbers in the file from 1. */
  rows(from: number, to: number): { readonly number: number; readonly cells: readonly string[] }[] {
    return this.#order.slice(from, to).map((index) => ({ number: index + 1, cells: this.#rows[index] ?? [] }))
  }

  #sorted(matching: readonly number[], { column, descending, locale }: Order): number[] {
    const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
    const keyed = matching.map((index) => {
      const text = (this.#rows[index]?.[column] ?? '').trim()
      return { index, text, number: text === '' ? NaN : Number(text.replace(/^(-?\d+),(\d+)$/, '$1.$2')) }
    })
    const sign = descending ? -1 : 1
    keyed.sort((a, b) => {
      // Empty cells come last in both directions.
      if (a.text === '' || b.text === '') return Number(a.text === '') - Number(b.text === '') || a.index - b.index
      const numbers = !Number.isNaN(a.number) && !Number.isNaN(b.number)
      const order = numbers ? a.number - b.number : collator.compare(a.text, b.text)
      return order * sign || a.index - b.index
    })
    return keyed.map(({ index }) => index)
  }
}

/** A, B … Z, AA, as spreadsheets count. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

/** Spreadsheets name the separator in the first line, "sep=;", which is no row. */
const SEPARATOR_LINE = /^"?sep=(.?)"?(?:\r\n|\r|\n|$)/i

function withoutSeparatorLine(source: string): { readonly text: string; readonly named: string } {
  const [line, named = ''] = SEPARATOR_LINE.exec(source) ?? ['']
  return { text: source.slice(line.length), named }
}
