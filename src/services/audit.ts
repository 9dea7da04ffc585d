import { type Actor, requireAdmin } from '../domain/accounts/actor.ts'
import { type AuditEntry, type AuditPage, type AuditQuery, matchesAudit, readAuditLine } from '../domain/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logging/logger.ts'
/** Where the lines go, and how they are read back. */
export interface AuditTrail extends Disposable {
  /** @throws what the file system says */
  write(line: string): void
  /** The newest first. */
  lines(): AsyncIterable<string>
  reopen(): void
}

export interface AuditDeps {
  readonly trail: AuditTrail
  readonly clock: Clock
  readonly log: Logger
}

export type AuditFacts = Omit<AuditEntry, 'time'>

/** Characters that one page may read: a filter without matches must not read a gigabyte. */
const MOST_READ = 32 * 1024 * 1024

/** Who did what, kept apart from the log and for longer. */
export interface Audit extends Disposable {
  /** Never throws: a full disk must not keep users from their files. A failure is logged once until writing works again. */
  record(facts: AuditFacts): void
  /** @throws FORBIDDEN for callers who are no administrators */
  page(actor: Actor, query: AuditQuery): Promise<AuditPage>
  /** The file was moved away by a program that rotates logs. */
  reopen(): void
}

export function createAudit({ trail, clock, log }: AuditDeps): Audit {
  let isBroken = false

  return {
    record(facts) {
      const entry: AuditEntry = { time: new Date(clock.now()).toISOString(), ...facts }
      try {
        trail.write(`${JSON.stringify(entry)}\n`)
        isBroken = false
      } catch (error) {
        if (!isBroken) log.error({ err: error }, 'the audit log cannot be written; lines are lost until it can')
        isBroken = true
      }
    },

    async page(actor, query) {
      requireAdmin(actor, 'administration')
      const { limit = 100, after = '', before } = query
      const entries: AuditEntry[] = []
      let last: string | undefined
      let read = 0
      for await (const line of trail.lines()) {
        const entry = readAuditLine(line)
        // Lines of earlier pages do not count, or paging would never get through a long log.
        if (before !== undefined && entry !== undefined && entry.time >= before) continue
        read += line.length
        if (entry === undefined) continue
        // Only older ones follow.
        if (entry.time < after) break
        // Lines with the same time stay on one page, because the next page begins before that time.
        const isMore = (entries.length >= limit || read > MOST_READ) && entry.time !== last
        if (isMore) return { entries, next: last ?? null }
        last = entry.time
        if (matchesAudit(entry, query)) entries.push(entry)
      }
      return { entries, next: null }
    },

    reopen: () => trail.reopen(),
    [Symbol.dispose]: () => trail[Symbol.dispose](),
  }
}
