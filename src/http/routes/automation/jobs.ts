import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { cancelJob, getJob, listJobs } from '../../../api/automation/jobs.ts'

export function jobRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, listJobs, async ({ actor, query }) => await services.jobs.list(actor, { all: query.all === true }))
  mount(app, getJob, async ({ actor, params }) => await services.jobs.find(actor, params.id))
  mount(app, cancelJob, async ({ actor, params }) => {
    await services.jobs.cancel(actor, params.id)
  })
}
