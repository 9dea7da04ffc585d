import type { AuditEntry, AuditQuery } from '../../../../../src/domain/audit.ts'

/** What somebody looks for. Days are those of the browser, as a date field gives them: "2026-11-22". */
export interface AuditChoice {
  readonly user: string
  /** Id of an operation, or what a group of them begins with: "users." */
  readonly action: string
  /** Text that the path, account or key holds. */
  readonly target: string
  /** Empty for all. */
  readonly outcome: AuditEntry['outcome'] | ''
  readonly from: string
  readonly to: string
}

export const NO_FILTER: AuditChoice = { user: '', action: '', target: '', outcome: '', from: '', to: '' }

/** @param next where the page before has ended */
export function auditQuery(choice: AuditChoice, next: string | null): AuditQuery {
  const { user, action, target, outcome, from, to } = choice
  const after = startOf(from)
  const end = startOf(to, 1)
  const before = next ?? end
  return {
    ...(user.trim() !== '' && { user: user.trim() }),
    ...(action !== '' && { action }),
    ...(target.trim() !== '' && { target: target.trim() }),
    ...(outcome !== '' && { outcome }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  }
}

/** The first moment of a day, or of so many days later; undefined without a day. */
function startOf(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const start = new Date(year, month - 1, date + later)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}

const COLUMNS = ['time', 'who', 'action', 'target', 'destination', 'outcome', 'address', 'session'] as const

/** Lines of a table that spreadsheets open (RFC 4180). */
export function auditCsv(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${COLUMNS.map((column) => csvCell(entry[column] ?? '')).join(',')}\r\n`).join('')
}

export const AUDIT_CSV_HEAD = `${COLUMNS.join(',')}\r\n`

/** What begins like a formula is one to a spreadsheet, and names of files are anybody's to choose. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
