import { listAudit } from '../api/server/audit.ts'
import { listNodes } from '../api/server/operator.ts'
import type { AuditEntry, AuditQuery } from '../domain/server/audit.ts'
import type { Door } from './door/door.ts'

const PAGE = 500

export interface AllActivity {
  /** Oldest first. */
  readonly found: AuditEntry[]
  /** One line about daemons whose last entries may be missing. */
  readonly silent: string | undefined
}

/** The newest entries of all daemons that share a store; without a database, those of this machine. @throws STORE_BUSY */
export async function allActivity(door: Door, query: AuditQuery, limit: number): Promise<AllActivity> {
  const newest: AuditEntry[] = []
  let before = query.before
  while (newest.length < limit) {
    const page = { ...query, limit: PAGE, ...(before !== undefined && { before }) }
    const { entries, next } = await door.call(listAudit, { query: page })
    newest.push(...entries)
    if (next === null) break
    before = next
  }
  return { found: newest.slice(0, limit).toReversed(), silent: await silentDaemons(door) }
}

/** A daemon that was killed, or that is cut off from the database, has its last entries only in its own file. */
async function silentDaemons(door: Door): Promise<string | undefined> {
  const silent = (await door.call(listNodes, {})).filter(({ isAlive }) => !isAlive)
  if (silent.length === 0) return undefined
  const places = silent.map(({ host, url, lost = '' }) => `${host} at ${url} (since ${lost})`)
  return `not heard of, so their last entries may be only in their own logs/audit.log: ${places.join(', ')}`
}
