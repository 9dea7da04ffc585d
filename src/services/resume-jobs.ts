import type { UserActor } from '../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { isOver } from '../domain/automation/job.ts'
import type { JobRequest } from '../domain/automation/job-record.ts'
import type { JobControl } from '../platform/limits/job-queue.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { RecordedWork, StartJob } from './automation/jobs/start-job.ts'
import type { HeldSessions } from './accounts/sessions/held-sessions.ts'
import type { Auth } from './accounts/auth/auth.ts'
import type { ApiTokens } from './accounts/tokens/api-tokens.ts'
import type { Compression } from './files/archives/compress.ts'
import type { Extraction } from './files/archives/extract.ts'
import type { Files } from './files/files.ts'
import type { FolderSizesService } from './files/sizes/folder-sizes.ts'
import type { Renames } from './files/renames/renames.ts'
import type { TransferJobs } from './files/transfer-jobs.ts'
import type { TrashService } from './files/trash.ts'
import type { JobBoard, Leases } from '../store/store.ts'
import type { JobJournal, JobNotes } from './automation/jobs/job-notes.ts'

/** Milliseconds between two looks for jobs that another daemon has left. */
const INTERVAL = 2000

export interface ResumeJobsDeps {
  readonly journal: Pick<JobJournal, 'takeOver'>
  readonly leases: Pick<Leases, 'onDeath'>
  readonly jobBoard: Pick<JobBoard, 'find'>
  readonly startJob: StartJob
  readonly auth: Pick<Auth, 'actorAgain'>
  readonly apiTokens: Pick<ApiTokens, 'actorAgain'>
  readonly transferJobs: TransferJobs
  readonly trash: Pick<TrashService, 'restoring'>
  readonly files: Pick<Files, 'digesting'>
  readonly folderSizes: Pick<FolderSizesService, 'measuring'>
  readonly extraction: Pick<Extraction, 'extracting'>
  readonly compression: Pick<Compression, 'compressing'>
  readonly renames: Pick<Renames, 'renaming' | 'abandon'>
  readonly heldSessions: Pick<HeldSessions, 'extend'>
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** Continues the jobs that the last run of the daemon, or another daemon, has left, in the order in which they began. */
export function createResumeJobs(resumeDeps: ResumeJobsDeps) {
  const { journal, leases, jobBoard, startJob, auth, apiTokens, heldSessions, log, ...deps } = resumeDeps

  const workOf = (request: JobRequest): RecordedWork => {
    switch (request.kind) {
      case 'copy':
        return deps.transferJobs.copying(request)
      case 'move':
        return deps.transferJobs.moving(request)
      case 'delete':
      case 'trash':
        return deps.transferJobs.deleting(request)
      case 'restore':
        return deps.trash.restoring(request)
      case 'extract':
        return deps.extraction.extracting(request)
      case 'compress':
        return deps.compression.compressing(request)
      case 'checksum':
        return deps.files.digesting(request)
      case 'measure':
        return deps.folderSizes.measuring(request)
      case 'rename':
        return deps.renames.renaming(request)
    }
  }

  const actorAgain = ({ record: { actor } }: JobNotes): UserActor => {
    if (actor.session !== undefined) return auth.actorAgain(actor.session)
    if (actor.token !== undefined) return apiTokens.actorAgain(actor.token)
    return fail('UNAUTHENTICATED', 'the session has ended; sign in again')
  }

  const abandon = async (notes: JobNotes, control: JobControl): Promise<void> => {
    const { request } = notes.record
    if (request.kind !== 'rename') return
    await deps.renames.abandon(request, control, notes).catch((error: unknown) => {
      // The next run undoes the rest.
      if (control.stopping.aborted) throw error
      log.error({ err: error, job: notes.record.id }, 'a batch rename that was interrupted could not be undone')
    })
  }

  const resume = (notes: JobNotes): void => {
    const { request } = notes.record
    const { id } = startJob.resume(
      notes,
      () => actorAgain(notes),
      workOf(request),
      async (control) => await abandon(notes, control),
    )
    log.info({ job: id, kind: request.kind }, 'an interrupted job goes on')
  }

  const takeOver = async (): Promise<void> => {
    try {
      for await (const notes of journal.takeOver()) {
        const { id, actor } = notes.record
        const known = await orLeave(notes, async () => {
          // Before anybody can sign in, which removes the records of expired sessions.
          await heldSessions.extend(actor.session)
          return await jobBoard.find(id)
        })
        // Its daemon died after it had saved how the job ended, and before it had removed the record.
        if (known !== undefined && isOver(known)) await notes.forget()
        else resume(notes)
      }
    } catch (error) {
      // The files can be served without them. While the database is away, that is logged elsewhere.
      if (!isFilemgrError(error, 'STORE_BUSY'))
        log.error({ err: error }, 'the records of interrupted jobs could not be read')
    }
  }

  /** @param hasOthers continues also what other daemons leave, until the result is disposed of */
  return async (hasOthers: boolean): Promise<Disposable> => {
    await takeOver()
    if (!hasOthers) return new DisposableStack()
    let running: Promise<void> | undefined
    const look = () => {
      running ??= takeOver().finally(() => (running = undefined))
    }
    const timer = setInterval(look, INTERVAL).unref()
    const unsubscribe = leases.onDeath(look)
    return {
      [Symbol.dispose]() {
        clearInterval(timer)
        unsubscribe()
      },
    }
  }
}

/** A job that cannot be continued now is one that nobody works on: this daemon looks for it again, and so do others. */
async function orLeave<T>(notes: JobNotes, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await notes.leave()
    throw error
  }
}
