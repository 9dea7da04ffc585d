import type { FastifyInstance } from 'fastify'
import { removeResource, transferResource, planRenames, renameMany } from '../../../api/files/files.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { decodeAgain } from '../../protocol/request-path.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { awaitJob } from '../../send/await-job.ts'

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
