import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Job } from '../domain/job.ts'
import type { StartedJob } from '../platform/job-queue.ts'
import { sendJson } from './send.ts'

/**
 * Waits for a job, as old clients expect; or says where it can be watched when the client prefers that (RFC 7240).
 *
 * @returns the job when it is done, undefined when the answer is sent
 * @throws what the job threw
 */
export async function awaitJob(
  request: FastifyRequest,
  reply: FastifyReply,
  started: StartedJob,
  base: string,
): Promise<Job | undefined> {
  if (!prefersAsync(request.headers['prefer'])) {
    await started.done
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
