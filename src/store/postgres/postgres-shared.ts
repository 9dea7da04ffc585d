import { ChoreRun } from '../../domain/server/chores.ts'
import { UploadRecord } from '../../domain/uploads/upload.ts'
import { Job } from '../../domain/automation/job.ts'
import { JobRecord, StepRecord } from '../../domain/automation/job-record.ts'
import { NodeRecord } from '../../domain/server/node.ts'
import { BrandingRecord } from '../../domain/settings/branding.ts'
import { WebhookState } from '../../domain/automation/webhook.ts'
import type { Shared, StoreLog, Records } from '../store.ts'
import { PostgresAudit } from './postgres-audit.ts'
import { createPostgresFacts } from './postgres-facts.ts'
import { newHolder } from './holder-sessions.ts'
import { PostgresJobBoard } from './postgres-job-board.ts'
import { PostgresLeases, lostLease } from './postgres-leases.ts'
import { PostgresNameLocks } from './postgres-name-locks.ts'
import { PostgresMessages } from './postgres-messages.ts'
import { PostgresWebhookStates } from './postgres-webhook-states.ts'
import { Transactions } from './transactions.ts'
import type { TSchema } from 'typebox'
import { createValueCheck } from '../../platform/validation/value-check.ts'
import { storedJson } from './stored-json.ts'

interface PostgresSharedOptions {
  readonly url: string
  /** True to receive messages of other daemons, for a long-running process. */
  readonly follows: boolean
  /** See `PostgresLeases`; for tests. */
  readonly lifetime?: number
  readonly log: StoreLog
}

/** What the daemons of a database share: leases, messages and records on one connection, facts and locks on others. */
export function createPostgresShared({ url, follows, lifetime, log }: PostgresSharedOptions): Shared & AsyncDisposable {
  const holder = newHolder()
  const link = new Transactions(url, async (connection) => {
    await leases.attach(connection)
    if (follows) await messages.attach(connection)
  })
  const messages = new PostgresMessages(link, holder)
  const leases = new PostgresLeases({ link, messages, holder, follows, ...(lifetime !== undefined && { lifetime }) })
  const jobRecords = postgresRecords<JobRecord>(link, 'unfinished', JobRecord)
  const jobBoard = new PostgresJobBoard({
    leases,
    messages,
    unfinished: jobRecords,
    records: postgresRecords<Job>(link, 'job', Job),
  })
  const webhookStates = new PostgresWebhookStates({
    leases,
    recordsOf: (run) => postgresRecords<WebhookState>(link, `webhooks/${run}`, WebhookState),
  })
  const facts = createPostgresFacts(url)
  const auditEntries = new PostgresAudit({ link, writer: holder, log })
  const nameLocks = new PostgresNameLocks(url, holder)
  return {
    facts,
    leases,
    nameLocks,
    messages,
    jobBoard,
    jobRecords,
    webhookStates,
    auditEntries,
    leaseCounts: () => leases.counts(),
    stepRecords: postgresRecords<StepRecord>(link, 'step', StepRecord),
    uploadRecords: postgresRecords<UploadRecord>(link, 'upload', UploadRecord),
    choreRuns: postgresRecords<ChoreRun>(link, 'chores', ChoreRun),
    brandingRecords: postgresRecords<BrandingRecord>(link, 'branding', BrandingRecord),
    nodeRecords: postgresRecords<NodeRecord>(link, 'node', NodeRecord),
    async [Symbol.asyncDispose]() {
      await auditEntries[Symbol.asyncDispose]()
      await webhookStates[Symbol.asyncDispose]()
      await jobBoard[Symbol.asyncDispose]()
      leases[Symbol.dispose]()
      await messages.flush()
      messages[Symbol.dispose]()
      await link[Symbol.asyncDispose]()
      await facts[Symbol.asyncDispose]()
      await nameLocks[Symbol.asyncDispose]()
    },
  }
}

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
