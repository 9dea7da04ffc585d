import type { UserActor } from '../../domain/accounts/actor.ts'
import { cleanVirtualPath } from '../../domain/files/virtual-path.ts'
import type { EarlierRun } from '../../domain/files/entry-identity.ts'
import type { JobActor, JobProgress, JobRecord, JobRequest } from '../../domain/job-record.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Random } from '../../platform/security/random.ts'
import type { Records } from '../../store/store.ts'

/** What is remembered of one job until it is over, so that the next start can continue it. */
export interface JobNotes {
  readonly record: JobRecord
  /** What an earlier run of the job has done; undefined in the first run. */
  readonly earlier: Earlier | undefined
  /** Adds to what the job has done. Durable when it resolves. */
  note(more: JobProgress): Promise<void>
  /** The job is over. */
  forget(): Promise<void>
}

export type Earlier = JobProgress & EarlierRun

export interface JobJournal {
  /** Durable when it resolves: call it before the first change. */
  begin(actor: UserActor, request: JobRequest): Promise<JobNotes>
  /** The jobs that the last run of the daemon has left, oldest first. */
  left(): Promise<JobNotes[]>
}

export interface JobJournalDeps {
  readonly records: Pick<Records<JobRecord>, 'list' | 'put' | 'remove'>
  readonly clock: Clock
  readonly random: Random
}

export function createJobJournal({ records, clock, random }: JobJournalDeps): JobJournal {
  const notesOf = (first: JobRecord, earlier?: Earlier): JobNotes => {
    let record = first
    return {
      get record() {
        return record
      },
      earlier,
      async note(more) {
        record = { ...record, progress: { ...record.progress, ...more } }
        await records.put(record)
      },
      forget: async () => await records.remove(record.id),
    }
  }

  return {
    async begin(actor, request) {
      const id = random.token(12)
      const record: JobRecord = {
        ...{ version: 1, id, created: clock.now(), actor: identityOf(actor), request, progress: {} },
        scope: cleanVirtualPath(actor.scope),
      }
      await records.put(record)
      return notesOf(record)
    },

    async left() {
      const found = await records.list()
      return found
        .toSorted((one, other) => one.created - other.created)
        .map((record) => notesOf(record, { ...record.progress, since: record.created }))
    },
  }
}

function identityOf({ id, session, token }: UserActor): JobActor {
  return { user: id, ...(session && { session: session.family }), ...(token && { token: token.id }) }
}
