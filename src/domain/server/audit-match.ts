import { type AuditEntry, type AuditQuery, auditText, MAX_NAME_LENGTH } from './audit.ts'
import { foldForSearch, foldName } from '../text/fold.ts'

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
