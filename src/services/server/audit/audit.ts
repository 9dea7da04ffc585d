import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import type { AuditEntry, AuditFacts, AuditPage, AuditQuery } from '../../../domain/server/audit.ts'
import { matchesAudit, readAuditLine } from '../../../domain/server/audit-text.ts'
import { counted } from '../../../domain/text/units.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { AuditExport } from './audit-export.ts'

/** The file of the activity log. */
export interface AuditTrail extends Disposable {
  /** @throws disk errors */
  write(line: string, entry: AuditEntry): void
  /** Newest first. @param before a time: newer ones may be left out */
  lines(before?: string): AsyncIterable<string>
  reopen(): void
}

export interface AuditDeps {
  readonly trail: AuditTrail
  /** Absent if the entries go nowhere else. */
  readonly copies?: AuditExport
  readonly clock: Clock
  readonly log: Logger
}

/** Characters that one page reads at most: a filter without matches must not read a gigabyte. */
const MAX_READ = 32 * 1024 * 1024

/** The activity log: who did what and when. Kept separately from the log, and longer. */
export function createAudit({ trail, copies, clock, log }: AuditDeps) {
  let lost = 0

  async function* matching(query: AuditQuery): AsyncGenerator<AuditEntry> {
    for await (const line of trail.lines(query.before)) {
      const entry = readAuditLine(line)
      if (entry === undefined) continue
      if (query.after !== undefined && entry.time < query.after) return
      if (matchesAudit(entry, query)) yield entry
    }
  }

  return {
    /** Never throws: a full disk must not keep users from their files. A failure is logged once, and how many entries are lost when writing works again. */
    record(facts: AuditFacts): void {
      const entry: AuditEntry = { time: new Date(clock.now()).toISOString(), ...facts }
      copies?.send(entry)
      try {
        trail.write(`${JSON.stringify(entry)}\n`, entry)
      } catch (error) {
        if (lost === 0) log.error({ err: error }, 'the activity log cannot be written; entries are lost until it can')
        lost += 1
        return
      }
      if (lost > 0) log.error({ lost }, `the activity log can be written again; lost: ${counted(lost, 'line')}`)
      lost = 0
    },

    /** @throws FORBIDDEN unless the caller is an administrator */
    async page(actor: Actor, query: AuditQuery): Promise<AuditPage> {
      requireAdmin(actor, 'administration')
      const { limit = 100, after = '', before } = query
      const entries: AuditEntry[] = []
      let last: string | undefined
      let read = 0
      for await (const line of trail.lines(before)) {
        const entry = readAuditLine(line)
        // Lines of earlier pages do not count, or paging would never get through a long log.
        if (before !== undefined && entry !== undefined && entry.time >= before) continue
        read += line.length
        if (entry === undefined) continue
        // All following entries are older.
        if (entry.time < after) break
        // Lines with the same time stay on one page, because the next page begins before that time.
        const isMore = (entries.length >= limit || read > MAX_READ) && entry.time !== last
        if (isMore) return { entries, next: last ?? null }
        last = entry.time
        if (matchesAudit(entry, query)) entries.push(entry)
      }
      return { entries, next: null }
    },

    /** All matching entries, newest first. @throws FORBIDDEN at once, unless the caller is an administrator */
    all(actor: Actor, query: AuditQuery): AsyncIterable<AuditEntry> {
      requireAdmin(actor, 'administration')
      return matching(query)
    },

    /** Opens the files again, after logrotate has moved them away. */
    reopen(): void {
      trail.reopen()
      copies?.reopen()
    },
    async [Symbol.asyncDispose]() {
      await copies?.[Symbol.asyncDispose]()
      trail[Symbol.dispose]()
    },
  }
}
