import type { UserActor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { JobRequest } from '../../domain/job-record.ts'
import type { JobControl } from '../../platform/limits/job-queue.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { RecordedWork, StartJob } from '../access/start-job.ts'
import type { HeldSessions } from '../accounts/sessions/held-sessions.ts'
import type { Auth } from '../accounts/auth/auth.ts'
import type { ApiTokens } from '../accounts/tokens/api-tokens.ts'
import type { Compression } from '../archives/compress.ts'
import type { Extraction } from '../archives/extract.ts'
import type { Files } from '../files/files.ts'
import type { FolderSizesService } from '../files/folder-sizes.ts'
import type { Renames } from '../files/renames.ts'
import type { TransferJobs } from '../files/transfer-jobs.ts'
import type { TrashService } from '../files/trash.ts'
import type { JobJournal, JobNotes } from './job-notes.ts'

export interface ResumeJobsDeps {
  readonly journal: Pick<JobJournal, 'left'>
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
  readonly heldSessions: Pick<HeldSessions, 'hold'>
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** Continues the jobs that the last run of the daemon has left, in the order in which they began. */
export function createResumeJobs({ journal, startJob, auth, apiTokens, heldSessions, log, ...deps }: ResumeJobsDeps) {
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

  const admit = ({ record: { actor } }: JobNotes): UserActor => {
    if (actor.session !== undefined) return auth.actorAgain(actor.session)
    if (actor.token !== undefined) return apiTokens.actorAgain(actor.token)
    return fail('UNAUTHENTICATED', 'the session has ended; sign in again')
  }

  const abandon = async (notes: JobNotes, control: JobControl): Promise<void> => {
    const { request } = notes.record
    if (request.kind !== 'rename') return
    await deps.renames.abandon(request, control, notes).catch((error: unknown) => {
      log.error({ err: error, job: notes.record.id }, 'a batch rename that was interrupted could not be undone')
    })
  }

  const resume = (notes: JobNotes): void => {
    const { request } = notes.record
    const { id } = startJob.resume(
      notes,
      () => admit(notes),
      workOf(request),
      async (control) => await abandon(notes, control),
    )
    log.info({ job: id, kind: request.kind }, 'an interrupted job goes on')
  }

  return async (): Promise<void> => {
    try {
      for (const notes of await journal.left()) {
        // Before anybody can sign in, which removes the records of expired sessions.
        await heldSessions.hold(notes.record.actor.session)
        resume(notes)
      }
    } catch (error) {
      // The files can be served without them. The records stay for the next start.
      log.error({ err: error }, 'the records of interrupted jobs could not be read')
    }
  }
}

export type ResumeJobs = ReturnType<typeof createResumeJobs>
