import type { TSchema } from 'typebox'
import { createValueCheck } from '../../platform/validation/value-check.ts'
import type { Records } from '../store.ts'
import { lostLease } from './postgres-leases.ts'
import { storedJson } from './stored-json.ts'
import type { Transactions } from './transactions.ts'

const LIST = `SELECT data FROM filemgr_records
  WHERE kind = $1 AND data @> $2::jsonb AND NOT data ?| $3::text[] ORDER BY position`

const PUT = `INSERT INTO filemgr_records (kind, id, data) VALUES ($1, $2, $3)
  ON CONFLICT (kind, id) DO UPDATE SET data = excluded.data`

/** Writes only while the lease is held, and locks it, so that nobody else can acquire its name before the write has ended. */
const PUT_UNDER = `WITH held AS MATERIALIZED (
    SELECT fence FROM filemgr_leases WHERE fence = $4 AND until > clock_timestamp() FOR SHARE
  )
  INSERT INTO filemgr_records (kind, id, data) SELECT $1, $2, $3::jsonb FROM held
  ON CONFLICT (kind, id) DO UPDATE SET data = excluded.data RETURNING id`

const REMOVE = 'DELETE FROM filemgr_records WHERE kind = $1 AND id = ANY ($2)'

/** Records in a table, which all daemons read and write. */
export function postgresRecords<R extends { readonly id: string }>(
  link: Pick<Transactions, 'query'>,
  kind: string,
  schema: TSchema,
): Records<R> {
  const check = createValueCheck(schema)
  return {
    async list(where = {}) {
      const entries = Object.entries(where)
      const absent = entries.filter(([, value]) => value === undefined).map(([name]) => name)
      const rows = await link.query<{ data: R }>(LIST, [kind, storedJson(where), absent])
      return rows.map(({ data }) => data).filter((data) => check.accepts(data, 0))
    },
    async put(record, under) {
      const values = [kind, record.id, storedJson(record)]
      if (under === undefined) await link.query(PUT, values)
      else if ((await link.query(PUT_UNDER, [...values, under.fence])).length === 0) throw lostLease()
    },
    async remove(...ids) {
      if (ids.length > 0) await link.query(REMOVE, [kind, ids])
    },
    flush: async () => undefined,
  }
}
