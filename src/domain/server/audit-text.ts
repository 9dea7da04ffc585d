import { type AuditChange, type AuditEntry, type AuditQuery, auditText, MAX_NAME_LENGTH } from './audit.ts'
import { foldForSearch, foldName } from '../text/fold.ts'

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

/** Whether an entry matches the query. An action that ends in a dot matches all actions with that prefix. */
export function matchesAudit(entry: AuditEntry, { user, action, outcome, target, before, after }: AuditQuery): boolean {
  if (user !== undefined && !isSameName(entry.who, user) && !isSignInOf(entry, user)) return false
  if (outcome !== undefined && entry.outcome !== outcome) return false
  if (target !== undefined && !containsText(entry, target)) return false
  if (before !== undefined && entry.time >= before) return false
  if (after !== undefined && entry.time < after) return false
  return action === undefined || (action.endsWith('.') ? entry.action.startsWith(action) : entry.action === action)
}

function isSameName(who: unknown, user: string): boolean {
  // Types are checked, because the file may have been edited.
  return typeof who === 'string' && foldName(who) === foldName(user)
}

/** Before the sign-in there is no user: a failed attempt has only the name that was typed. */
function isSignInOf({ who, action, target }: AuditEntry, user: string): boolean {
  return who === '' && action.startsWith('auth.') && isSameName(target, auditText(user, MAX_NAME_LENGTH))
}

function containsText({ target, destination }: AuditEntry, text: string): boolean {
  const part = foldForSearch(text)
  return [target, destination].some((path) => typeof path === 'string' && foldForSearch(path).includes(part))
}

/** Undefined for a line that was cut off by a crash or edited. */
export function readAuditLine(line: string): AuditEntry | undefined {
  try {
    const value = JSON.parse(line) as Partial<AuditEntry> | null
    const isEntry = typeof value?.time === 'string' && typeof value.action === 'string'
    return isEntry ? (value as AuditEntry) : undefined
  } catch {
    return undefined
  }
}
