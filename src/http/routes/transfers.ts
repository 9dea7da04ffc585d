import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../domain/errors.ts'
import type { Job } from '../../domain/job.ts'
import type { StartedJob } from '../../platform/limits/job-queue.ts'
import { sendJson } from '../send/send.ts'
import { emptyTrash, listTrash, removeTrash, restoreTrash } from '../../api/files/trash.ts'
import { removeResource, transferResource } from '../../api/files/files.ts'
import { planRenames, renameMany } from '../../api/files/renames.ts'
import { baseOf } from '../../domain/settings/server-options.ts'
import { decodeAgain } from '../protocol/request-path.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'
import { cancelJob, getJob, listJobs } from '../../api/files/jobs.ts'

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

export function trashRoutes(app: FastifyInstance, { services: { trash }, options }: Context): void {
  mount(app, listTrash, async ({ actor }) => await trash.list(actor))
  mount(app, restoreTrash, async ({ actor, params, request, reply }) => {
    const { path, job } = await trash.restore(actor, params.id)
    if (job !== undefined && (await awaitJob(request, reply, job, baseOf(options))) === undefined) return await reply
    return { path }
  })
  mount(app, removeTrash, async ({ actor, params, signal }) => {
    await trash.remove(actor, params.id, { signal })
  })
  mount(app, emptyTrash, async ({ actor, signal }) => {
    await trash.empty(actor, signal)
  })
}

export function jobRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, listJobs, async ({ actor, query }) => await services.jobs.list(actor, { all: query.all === true }))
  mount(app, getJob, async ({ actor, params }) => await services.jobs.find(actor, params.id))
  mount(app, cancelJob, async ({ actor, params }) => {
    await services.jobs.cancel(actor, params.id)
  })
}

export function transferRoutes(app: FastifyInstance, { services, options }: Context): void {
  const base = baseOf(options)

  mount(app, transferResource, async ({ actor, params, query, request, reply }) => {
    const started = await services.transfers.transfer(actor, `/${params['*']}`, {
      action: query.action ?? '',
      destination: decodeAgain(query.destination ?? ''),
      override: query.override === 'true',
      rename: query.rename === 'true',
    })
    request.effect = query.action === 'copy' ? 'copied' : 'moved'
    if (started !== undefined && (await awaitJob(request, reply, started, base)) === undefined) return await reply
    return undefined
  })

  mount(app, removeResource, async ({ actor, params, query, request, reply }) => {
    const started = await services.transfers.remove(actor, `/${params['*']}`, query.trash === 'true')
    request.effect = query.trash === 'true' ? 'trashed' : 'deleted'
    if (started !== undefined && (await awaitJob(request, reply, started, base)) === undefined) return await reply
    return await reply.code(204).type('text/plain; charset=utf-8').send()
  })
}

export function renameRoutes(app: FastifyInstance, { services, options }: Context): void {
  const base = baseOf(options)

  mount(
    app,
    planRenames,
    async ({ actor, params, body }) => await services.renames.plan(actor, `/${params['*']}`, body),
  )

  mount(app, renameMany, async ({ actor, params, body, request, reply }) => {
    const answer = await services.renames.run(actor, `/${params['*']}`, body)
    request.effect = 'moved'
    if (answer.kind === 'done') return answer.outcome
    return (await awaitJob(request, reply, answer.started, base))?.renames ?? (await reply)
  })
}
