import type { FastifyInstance } from 'fastify'
import { cancelJob, getJob, listJobs } from '../../api/jobs.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'

export function jobRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, listJobs, ({ actor, query }) => services.jobs.list(actor, { all: query.all === true }))
  mount(app, getJob, ({ actor, params }) => services.jobs.find(actor, params.id))
  mount(app, cancelJob, ({ actor, params }) => {
    services.jobs.cancel(actor, params.id)
    return undefined
  })
}
