import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'

export interface Sheet {
  readonly name: string
  /** CSV in UTF-8, with commas. */
  readonly table: Uint8Array<ArrayBuffer>
}

/** Rows and columns that are read; only those with content count. */
const MAX_ROWS = 100_000
const MAX_COLUMNS = 1000

/** Reads the sheets of a workbook. @throws Error if it is damaged or has a password */
export function readSheets(bytes: Uint8Array): Sheet[] {
  const options = { type: 'array', dense: true, sheetRows: MAX_ROWS, cellFormula: false, cellHTML: false } as const
  const book: WorkBook = read(bytes, options)
  return book.SheetNames.map((name) => ({ name, table: new TextEncoder().encode(csvOf(book.Sheets[name] ?? {})) }))
}

/** By the cells there are: the measures of a sheet may say that it has billions of empty ones. */
function csvOf(sheet: WorkSheet): string {
  // Rows and cells without content are missing.
  const rows: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet['!data'] ?? []
  return Array.from(rows.slice(0, MAX_ROWS), (row) =>
    Array.from(row?.slice(0, MAX_COLUMNS) ?? [], (cell) => (cell ? quoted(utils.format_cell(cell)) : '')).join(','),
  ).join('\n')
}

function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
