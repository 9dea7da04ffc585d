import type { AuditChange, AuditEntry } from './audit.ts'

/** The formats of an export, with the media type of each. */
export const AUDIT_FORMATS = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const
export type AuditFormat = keyof typeof AUDIT_FORMATS

/** What an entry lists, for people: "a.txt → b.txt", "user bob scope: / → /bob". */
export function auditDetails({ names = [], changes = [], more = 0 }: AuditEntry): string[] {
  return [
    ...names.map(({ from, to }) => `${from} → ${to}`),
    ...changes.map(changeText),
    ...(more > 0 ? [`… +${more}`] : []),
  ]
}

function changeText({ of, name, old, new: now }: AuditChange): string {
  const value = (text: string | undefined) => (text === undefined ? '-' : text === '' ? '""' : text)
  return `${of === undefined ? '' : `${of} `}${name}: ${value(old)} → ${value(now)}`
}

const COLUMNS = [
  ...(['time', 'who', 'action', 'target', 'destination', 'outcome', 'address', 'session'] as const),
  ...(['effect', 'link', 'token', 'daemon', 'account', 'sudoUser'] as const),
] as const

export const AUDIT_CSV_HEAD = csvLine([...COLUMNS, 'details'])

/** One line of an export: CSV (RFC 4180) or JSON. */
export function auditLine(entry: AuditEntry, format: AuditFormat): string {
  if (format === 'jsonl') return `${JSON.stringify(entry)}\n`
  return csvLine([...COLUMNS.map((column) => entry[column] ?? ''), auditDetails(entry).join('; ')])
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Stops CSV injection: spreadsheets run a cell that begins like a formula, and any user can choose a file name. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
