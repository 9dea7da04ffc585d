import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { JobControl, JobFacts, JobOutcome, JobQueue, StartedJob } from '../../platform/limits/job-queue.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { AccessService, FileAccess } from './access.ts'
import type { ActorWatch } from './actor-watch.ts'

export interface StartJobDeps {
  readonly queue: Pick<JobQueue, 'start' | 'cancel'>
  readonly access: Pick<AccessService, 'for'>
  readonly actorWatch: Pick<ActorWatch, 'onRefused'>
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Starts a job that goes on with what a request was allowed to do. The job fails as soon as anything that the request has passed
 * would be refused, whether it still waits or runs.
 *
 * @param files of the request, which end earlier
 * @param work gets files of its own
 * @throws BUSY
 */
export type StartJob = (
  actor: Actor,
  files: FileAccess,
  facts: Omit<JobFacts, 'userID'>,
  work: (files: FileAccess, control: JobControl) => Promise<JobOutcome>,
) => StartedJob

export function createStartJob({ queue, access, actorWatch, log }: StartJobDeps): StartJob {
  return (actor, files, facts, work) => {
    if (actor.kind === 'operator') fail('FORBIDDEN', 'files belong to users')
    const own = { ...actor, passed: new Set([() => files.requireStill()]) }
    const started = queue.start({ ...facts, userID: actor.id }, async (control) => {
      await files.refresh?.()
      files.requireStill()
      using opened = await access.for(own)
      opened.keep(files.requireStill)
      return await work(opened, control)
    })
    const unsubscribe = actorWatch.onRefused(own, (reason) => {
      log.warn({ job: started.id, kind: facts.kind, user: actor.id }, `a job was ended: ${reason.message}`)
      queue.cancel(started.id, reason)
    })
    started.done.then(unsubscribe, unsubscribe)
    return started
  }
}
