import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../domain/errors.ts'
import type { Job } from '../../domain/automation/job.ts'
import type { StartedJob } from '../../platform/limits/job-queue.ts'
import { sendJson } from './send.ts'

/** Seconds after which what another server does instead may be over. */
const CONTINUED_AFTER = 10

/**
 * Waits for a job, as old clients expect, or replies with its address if the client sends `Prefer: respond-async` (RFC 7240).
 *
 * @returns the finished job; undefined if the reply is already sent
 * @throws the error of the job; UNAVAILABLE if it goes on elsewhere
 */
export async function awaitJob(
  request: FastifyRequest,
  reply: FastifyReply,
  started: StartedJob,
  base: string,
): Promise<Job | undefined> {
  if (!prefersAsync(request.headers['prefer'])) {
    try {
      await started.done
    } catch (error) {
      if (!started.isInterrupted) throw error
      fail('UNAVAILABLE', 'this server stops or was held up: another one goes on with this, or the next start does', {
        retryAfter: CONTINUED_AFTER,
      })
    }
    return started.job
  }
  void reply.code(202).headers({ location: `${base}/api/jobs/${started.id}`, 'preference-applied': 'respond-async' })
  sendJson(reply, started.job)
  return undefined
}

function prefersAsync(header: string | string[] | undefined): boolean {
  return [header]
    .flat()
    .some((value) => value?.split(',').some((part) => part.trim().toLowerCase() === 'respond-async'))
}
