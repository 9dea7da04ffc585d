import type { UserActor } from '../../../domain/accounts/actor.ts'
import { servedFolderOf } from '../../../domain/server/root.ts'
import { fail } from '../../../domain/errors.ts'
import { ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { type EarlierRun, type EntryIdentity, isSameEntry } from '../../../domain/files/entry-identity.ts'
import type {
  JobActor,
  JobPlace,
  JobProgress,
  JobRecord,
  JobRequest,
  StepRecord,
} from '../../../domain/automation/job-record.ts'
import type { Clock } from '../../../platform/clock.ts'
import { orRelease } from '../../../platform/or-release.ts'
import type { Random } from '../../../platform/security/random.ts'
import { interrupted } from '../../../platform/limits/job-queue.ts'
import type { Lease, Leases, Records } from '../../../store/store.ts'
import type { TransferMode, Work } from '../../../storage/storage.ts'
import type { FileAccess } from '../../access/file-access.ts'

/** What is remembered of one job until it is over, so that another run can continue it. Only its owner may work on it. */
export interface JobNotes {
  readonly record: JobRecord
  /** What an earlier run of the job has done; undefined in the first run. */
  readonly earlier: Earlier | undefined
  /** Held by the daemon that works on the job. When its signal aborts, another one may go on with it. */
  readonly lease: Lease
  /** Adds to what the job has done. Durable when it resolves. @throws STORE_BUSY if another daemon may work on the job by now */
  note(more: JobProgress): Promise<void>
  /** Notes the step that is about to begin, in a small record of its own. Durable and refused as `note`. */
  noteStep(step: Omit<StepRecord, 'id'>): Promise<void>
  /**
   * Call right before each change: the daemon may have been frozen for so long that another one has continued the job.
   *
   * @throws CANCELLED as `interrupted`
   */
  requireOwned(): void
  /** The job is over. @param whenSaved what others must know before they find that nobody works on it */
  forget(whenSaved?: Promise<void>): Promise<void>
  /** Another run continues the job: of this daemon, or of another one at once. */
  leave(): Promise<void>
}

export type Earlier = JobProgress &
  EarlierRun & {
    /** The one that may have begun. */
    readonly step?: StepRecord | undefined
  }

export interface JobJournalDeps {
  readonly records: Pick<Records<JobRecord>, 'list' | 'put' | 'remove'>
  readonly steps: Pick<Records<StepRecord>, 'list' | 'put' | 'remove'>
  readonly leases: Pick<Leases, 'tryAcquire' | 'list'>
  readonly clock: Clock
  readonly random: Random
}

const LEASE = 'job/'

export function createJobJournal({ records, steps, leases, clock, random }: JobJournalDeps) {
  /** Jobs of this daemon, until their work has ended. */
  const own = new Map<string, Lease>()
  const ending = new Set<Promise<void>>()

  const notesOf = (first: JobRecord, lease: Lease, earlier?: Earlier): JobNotes => {
    let record = first
    let isStepNoted = earlier?.step !== undefined
    own.set(record.id, lease)
    const end = async (work: () => Promise<void>): Promise<void> => {
      const ended = work().finally(() => own.delete(record.id))
      const settled = ended.catch(() => undefined)
      ending.add(settled)
      void settled.finally(() => ending.delete(settled))
      await ended
    }
    return {
      get record() {
        return record
      },
      earlier,
      lease,
      async note(more) {
        record = { ...record, progress: { ...record.progress, ...more } }
        await records.put(record, lease)
      },
      async noteStep(step) {
        isStepNoted = true
        await steps.put({ id: record.id, ...step }, lease)
      },
      requireOwned() {
        if (lease.isLost) throw interrupted()
      },
      forget: async (whenSaved) =>
        await end(async () => {
          try {
            // First: a job without a record counts as failed until its end is known.
            await whenSaved
            // Its owner by now needs the record.
            if (!lease.isLost) await records.remove(record.id)
            // Last: without its step, the job would begin again.
            if (!lease.isLost && isStepNoted) await steps.remove(record.id)
          } catch (error) {
            // The daemon that takes over the job finds that it is done. While it is held, none would look at its record again.
            await lease.abandon()
            throw error
          }
          await lease[Symbol.asyncDispose]()
        }),
      leave: async () => await end(async () => await lease.abandon()),
    }
  }

  /** @returns undefined if another daemon works on it, or it is over by now */
  const acquire = async (id: string): Promise<JobNotes | undefined> => {
    const lease = own.has(id) ? undefined : await leases.tryAcquire(LEASE + id)
    if (lease === undefined) return undefined
    const [record, step] = await orRelease(lease, async () => [
      (await records.list({ id }))[0],
      (await steps.list({ id }))[0],
    ])
    if (record !== undefined) return notesOf(record, lease, { ...record.progress, since: record.created, step })
    await lease[Symbol.asyncDispose]()
    return undefined
  }

  /** Removes what a process left that was killed right after it had removed the record of a job. */
  const sweepSteps = async (): Promise<void> => {
    // Read first: the record of a job exists before its first step.
    const found = await steps.list()
    if (found.length === 0) return
    const jobs = new Set((await records.list()).map(({ id }) => id))
    await steps.remove(...found.map(({ id }) => id).filter((id) => !jobs.has(id)))
  }
  let isSwept = false

  return {
    /** Durable when it resolves: call it before the first change. */
    async begin(actor: UserActor, files: FileAccess, request: JobRequest, target = files): Promise<JobNotes> {
      const id = random.token(12)
      const lease =
        (await leases.tryAcquire(LEASE + id)) ?? fail('INTERNAL', 'somebody else has the lease of a new job')
      const record: JobRecord = {
        version: 1,
        id,
        created: clock.now(),
        actor: identityOf(actor),
        request,
        progress: {},
        ...placeOf(files),
        ...(target !== files && { target: placeOf(target) }),
      }
      return await orRelease(lease, async () => {
        await records.put(record, lease)
        return notesOf(record, lease)
      })
    },

    /** Takes over the jobs that nobody works on, oldest first. Of several daemons, each job goes to one, which must continue or leave it. */
    async *takeOver(): AsyncGenerator<JobNotes, void, void> {
      if (!isSwept) await sweepSteps()
      isSwept = true
      const found = await records.list()
      if (found.every(({ id }) => own.has(id))) return
      const held = new Set((await leases.list(LEASE)).filter(({ isHeld }) => isHeld).map(({ name }) => name))
      for (const { id } of found.toSorted((one, other) => one.created - other.created)) {
        const notes = held.has(LEASE + id) ? undefined : await acquire(id)
        if (notes !== undefined) yield notes
      }
    },

    /** The lease of a job that this daemon works on. */
    leaseOf: (id: string): Lease | undefined => own.get(id),

    /** Waits until the records of jobs that have ended are removed, and the others are left to be taken over. */
    async [Symbol.asyncDispose]() {
      await Promise.all(ending)
    },
  }
}

export type JobJournal = ReturnType<typeof createJobJournal>

/** Where files are, as a resumed job must know it. */
function placeOf(files: FileAccess): JobPlace {
  const { place, user, top, given } = files
  const scope = servedFolderOf(user)
  if (place.all === true) return { scope, all: true }
  const shown = files.shown(ROOT)
  if (place.grant === undefined) return { scope, ...(shown !== ROOT && { shown }) }
  const sends = given === 'upload' ? ({ sends: true } as const) : {}
  return { scope, grant: { id: place.grant, owner: user.id, top, shown: files.shown(top), ...sends } }
}

function identityOf({ id, session, token }: UserActor): JobActor {
  return { user: id, ...(session && { session: session.family }), ...(token && { token: token.id }) }
}

/** Lets the storage continue what an earlier run of the job has begun, and notes what a later one must know. */
export function continuing(notes: JobNotes): {
  mode: Pick<TransferMode, 'earlier'>
  work: Pick<Work, 'placing' | 'staging'>
} {
  return {
    mode: { earlier: notes.earlier },
    work: {
      placing: async (result) => await notes.note(result === undefined ? { merging: true } : { placed: result }),
      staging: async (staged) => await notes.note({ staged }),
    },
  }
}

/** Whether the entry at a path is the one that is meant. */
export async function isStill(
  { scope }: FileAccess,
  path: VirtualPath,
  entry: EntryIdentity | undefined,
): Promise<boolean> {
  const found = await scope.entryAt(path)
  return entry !== undefined && found !== undefined && isSameEntry(found, entry)
}
