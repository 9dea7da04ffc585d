import type { AuditEntry, AuditQuery, AuditPage } from '../../../../../src/domain/server/audit.ts'
import { listAudit } from '../../../../../src/api/server/audit.ts'
import type { Client } from '../../../api/client.ts'
import type { MessageId } from '../../../i18n/use-text.tsx'

/** Filter of the activity log. Days are in the browser's time zone, in the format of date inputs: "2026-11-22". */
export interface AuditChoice {
  readonly user: string
  /** An operation id, or the prefix of a group: "users." */
  readonly action: string
  /** Part of the path, account or key. */
  readonly target: string
  /** Empty for all. */
  readonly outcome: AuditEntry['outcome'] | ''
  readonly from: string
  readonly to: string
}

export const NO_FILTER: AuditChoice = { user: '', action: '', target: '', outcome: '', from: '', to: '' }

/** @param next cursor of the previous page */
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

/** Start of a day, or of the day `later` days after it; undefined without a day. */
function startOf(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const start = new Date(year, month - 1, date + later)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}

/** At most this many entries per response. */
const PAGE_LIMIT = 500

/**
 * Reads matching entries page by page, newest first. The server limits its search time, so a page may be short or
 * empty.
 *
 * @param count number of entries to read; a few more may come with the same timestamp
 */
export async function readLines(
  client: Client,
  choice: AuditChoice,
  count: number,
  signal?: AbortSignal,
): Promise<AuditPage> {
  const entries: AuditEntry[] = []
  let next: string | null = null
  do {
    const limit = Math.min(count - entries.length, PAGE_LIMIT)
    const page: AuditPage = await client.call(listAudit, { query: { ...auditQuery(choice, next), limit }, signal })
    entries.push(...page.entries)
    next = page.next
  } while (next !== null && entries.length < count)
  return { entries, next }
}

/** Label of each outcome. */
export const OUTCOME_TEXTS: Readonly<Record<AuditEntry['outcome'], MessageId>> = {
  done: 'audit.done',
  refused: 'audit.refused',
  failed: 'audit.failed',
}
