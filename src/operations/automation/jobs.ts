import { cancelJob, getJob, listJobs } from '../../api/automation/jobs.ts'
import { handler } from '../handler.ts'

export const jobHandlers = {
  list: handler(
    listJobs,
    async ({ actor, query }, { services: { jobs } }) => await jobs.list(actor, { all: query.all === true }),
  ),

  get: handler(getJob, async ({ actor, params }, { services: { jobs } }) => await jobs.find(actor, params.id)),

  cancel: handler(cancelJob, async ({ actor, params }, { services: { jobs } }) => {
    await jobs.cancel(actor, params.id)
  }),
}
