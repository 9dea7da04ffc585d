import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { ChoreRun } from '../domain/server/chores.ts'
import { UsageRecord } from '../domain/access/quota.ts'
import { UploadRecord } from '../domain/uploads/upload.ts'
import { JobRecord, StepRecord } from '../domain/automation/job-record.ts'
import type { WebhookState } from '../domain/automation/webhook.ts'
import type { Clock } from '../platform/clock.ts'
import { ProcessLocks } from '../platform/limits/name-locks.ts'
import { memoryFacts } from './memory-facts.ts'
import { MemoryLeases } from './memory-leases.ts'
import { cachedRecords } from './records/cached-records.ts'
import { fileRecords, memoryRecords } from './records/records.ts'
import { journalledWebhookStates } from './records/webhook-journal.ts'
import type { JobBoard, Messages, Records, Shared, StoreLog, WebhookStates } from './store.ts'

interface SoleDaemonDeps {
  /** The data folder; undefined to keep everything in memory. */
  readonly folder: string | undefined
  readonly clock: Clock
  readonly log: StoreLog
}

/** What daemons share, for the only daemon of a store. */
export function soleDaemon({ folder, clock, log }: SoleDaemonDeps): Shared {
  const recordsIn = <R extends { readonly id: string }>(name: string, schema: TSchema): Records<R> =>
    folder === undefined
      ? memoryRecords()
      : cachedRecords(fileRecords({ folder: join(folder, name), schema, idOf: ({ id }) => id, log }))
  return {
    facts: memoryFacts(clock),
    leases: new MemoryLeases(),
    nameLocks: new ProcessLocks(),
    messages: NOBODY,
    jobBoard: NO_OTHERS,
    uploadRecords: recordsIn('uploads', UploadRecord),
    jobRecords: jobRecordsIn(folder, log),
    stepRecords: stepRecordsIn(folder, log),
    usageRecords: recordsIn('usage', UsageRecord),
    // The folder got its name before maintenance mode existed.
    choreRuns: recordsIn('maintenance', ChoreRun),
    webhookStates:
      folder === undefined
        ? memoryWebhookStates(memoryRecords())
        : journalledWebhookStates({ folder: join(folder, 'webhooks'), clock, log }),
    nodeRecords: memoryRecords(),
  }
}

/** Read once, when the daemon starts. */
function jobRecordsIn(folder: string | undefined, log: StoreLog): Records<JobRecord> {
  if (folder === undefined) return memoryRecords()
  return fileRecords({
    folder: join(folder, 'jobs'),
    schema: JobRecord,
    idOf: ({ id }) => id,
    log,
    unreadable: 'a job that was interrupted cannot be continued: it is damaged, or of a newer version',
  })
}

/** After a crash, an older step than the last one would give entries the names of others. */
function stepRecordsIn(folder: string | undefined, log: StoreLog): Records<StepRecord> {
  if (folder === undefined) return memoryRecords()
  const name = join(folder, 'job-steps')
  return fileRecords({ folder: name, schema: StepRecord, idOf: ({ id }) => id, log, refusesUnsaved: true })
}

/** Nobody else has had any. */
function memoryWebhookStates(records: Records<WebhookState>): WebhookStates {
  return {
    async put(...states) {
      for (const state of states) await records.put(state)
    },
    remove: async (id) => await records.remove(id),
    others: async () => [],
    follow: async () => undefined,
  }
}

const NOBODY: Messages = { send: () => false, subscribe: () => () => undefined }

const NO_OTHERS: JobBoard = {
  show: () => undefined,
  whenSaved: async () => undefined,
  drop: () => undefined,
  list: async () => [],
  find: async () => undefined,
  cancel: async () => undefined,
  prune: async () => undefined,
  onChange: () => () => undefined,
}
