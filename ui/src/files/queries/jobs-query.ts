import { QueryObserver, queryOptions, type QueryClient } from '@tanstack/react-query'
import { cancelJob, getJob, listJobs } from '../../../../src/api/automation/jobs.ts'
import { isOver, type Job } from '../../../../src/domain/automation/job.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Client } from '../../api/client.ts'

/** Milliseconds between two requests while a job runs. Live events usually arrive sooner. */
const POLL_INTERVAL = 700
/** Milliseconds while the page is hidden. */
const POLL_HIDDEN = 5000

const JOBS_KEY = ['jobs'] as const

/** The user's running and recent jobs. */
export function jobsQuery(client: Client) {
  return queryOptions({
    queryKey: JOBS_KEY,
    queryFn: ({ signal }) => client.call(listJobs, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.some((job) => !isOver(job)) === true && (document.hidden ? POLL_HIDDEN : POLL_INTERVAL),
    refetchIntervalInBackground: true,
    retry: false,
  })
}

/** Updates one job in the cache. */
export function noteJob(queries: QueryClient, job: Job): void {
  queries.setQueryData<Job[]>(JOBS_KEY, (known = []) => [job, ...known.filter(({ id }) => id !== job.id)])
}

/** Resolves with the job when it is over. A job that the server no longer knows counts as failed. */
export async function watchJob(client: Client, queries: QueryClient, started: Job): Promise<Job> {
  noteJob(queries, started)
  const observer = new QueryObserver(queries, jobsQuery(client))
  const { promise, resolve } = Promise.withResolvers<Job>()
  let missed = 0
  const stop = observer.subscribe(({ data }) => {
    const job = data?.find(({ id }) => id === started.id)
    if (job !== undefined) {
      if (isOver(job)) resolve(job)
      return
    }
    missed += 1
    // A response sent before the job started does not contain it.
    if (missed > 1)
      void fetchJob(client, started).then((found) => (isOver(found) ? resolve(found) : noteJob(queries, found)))
  })
  try {
    return await promise
  } finally {
    stop()
  }
}

async function fetchJob(client: Client, started: Job): Promise<Job> {
  try {
    return await client.call(getJob, { params: { id: started.id } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status !== 404) return started
    return { ...started, state: 'failed', error: { code: 'INTERNAL', message: '' } }
  }
}

/** Cancels jobs. One that has just ended cannot be cancelled; that is no error. */
export function cancelJobs(client: Client, ids: Iterable<string>): void {
  const ignoreRefusal = (error: unknown): void => {
    if (!(error instanceof ApiError)) throw error
  }
  for (const id of ids) void client.call(cancelJob, { params: { id } }).catch(ignoreRefusal)
}

/** True when the server continues the operation as a job. */
export function isJob(reply: unknown): reply is Job {
  return typeof reply === 'object' && reply !== null && 'state' in reply && 'progress' in reply
}
