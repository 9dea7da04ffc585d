import { listAudit } from '../../../../../src/api/audit.ts'
import type { AuditEntry, AuditPage } from '../../../../../src/domain/audit.ts'
import type { Client } from '../../../api/client.ts'
import { auditQuery, type AuditChoice } from './audit-query.ts'

/** Lines that one answer may hold. */
const MOST = 500

/**
 * The newest lines that fit, page by page: the server stops looking after a while, so a page may be short or empty.
 *
 * @param wanted how many; a few more come where lines are of the same moment
 * @param onRead how many there are so far
 */
export async function readLines(
  client: Client,
  choice: AuditChoice,
  wanted: number,
  signal?: AbortSignal,
  onRead?: (count: number) => void,
): Promise<AuditPage> {
  const entries: AuditEntry[] = []
  let next: string | null = null
  do {
    const limit = Math.min(wanted - entries.length, MOST)
    const page: AuditPage = await client.call(listAudit, { query: { ...auditQuery(choice, next), limit }, signal })
    entries.push(...page.entries)
    onRead?.(entries.length)
    next = page.next
  } while (next !== null && entries.length < wanted)
  return { entries, next }
}
