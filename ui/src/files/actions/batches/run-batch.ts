import type { QueryClient } from '@tanstack/react-query'
import type { Job } from '../../../../../src/domain/automation/job.ts'
import { type ChangeOutcome, MAX_CHANGES } from '../../../../../src/domain/files/change-many.ts'
import { nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { Client } from '../../../api/client.ts'
import { waitFor } from '../../../api/live-connection.ts'
import type { Activity, BatchKind, FailedItem } from './activity.ts'
import { cancelJobs, isJob, watchJob } from '../../queries/jobs-query.ts'
import { problemOf, type Problem } from '../../../common/problem-text.ts'

/** Requests sent at the same time. */
const PARALLEL = 4
/** The server accepts up to 100 jobs per user; this leaves some for other windows. */
const MAX_JOBS = 80
/** Milliseconds. */
const BUSY_PAUSE = 1000
const CANCELLED: Problem = { code: 'CANCELLED', message: '' }

interface BatchDeps {
  readonly client: Client
  readonly queries: QueryClient
  readonly activity: Activity
}

/** What the server has done with one of several items. */
type Outcome = Pick<ChangeOutcome, 'job' | 'error'>

interface BatchRequest<Item> {
  readonly kind: BatchKind
  readonly items: readonly Item[]
  readonly folder?: VirtualPath | undefined
  pathOf(item: Item): VirtualPath
  /** Sends the request for one item. The server answers with a job when it takes long. */
  act(item: Item, signal: AbortSignal): Promise<unknown>
  /** Sends one request for several items. The reply has an outcome for each, in order. */
  actTogether?: ((items: readonly Item[]) => Promise<readonly Outcome[]>) | undefined
  /** True for a problem that would fail all other items too: they are not tried. */
  stopsAll?: ((problem: Problem) => boolean) | undefined
  /** Tries the failed items again. */
  retry?: ((items: readonly Item[]) => void) | undefined
}

export interface BatchOutcome<Item> {
  /** Identifies the batch in the activity of the page. */
  readonly id: number
  readonly done: readonly Item[]
  readonly failed: readonly (FailedItem & { readonly item: Item })[]
  readonly cancelled: boolean
}

/** Runs the operation on all items: with one request if there is one for many, else a few at a time. Failed items do not stop the others. */
export async function runBatch<Item>(deps: BatchDeps, request: BatchRequest<Item>): Promise<BatchOutcome<Item>> {
  const { activity, client, queries } = deps
  const { items, pathOf } = request
  const abort = new AbortController()
  const jobs = new Map<string, Job>()
  const done: Item[] = []
  const failed: (FailedItem & { readonly item: Item })[] = []
  const cancel = (): void => {
    abort.abort()
    cancelJobs(client, jobs.keys())
  }
  const retry = request.retry && (() => request.retry?.(failed.map(({ item }) => item)))
  const [first] = items
  const id = activity.add(
    {
      kind: request.kind,
      name: first === undefined ? '' : nameOf(pathOf(first)),
      count: items.length,
      folder: request.folder,
    },
    { cancel, retry },
  )
  const queue = items.entries()
  const running = new Set<Promise<void>>()
  const jobIds: string[] = []
  let answered = 0

  const report = (): void =>
    activity.change(id, { answered, done: done.length, failed: [...failed], jobs: [...jobIds] })
  const fails = (item: Item, problem: Problem): void => {
    failed.push({ item, path: pathOf(item), problem })
    if (request.stopsAll?.(problem) === true) abort.abort()
  }
  const follow = async (item: Item, job: Job): Promise<void> => {
    const ended = await watchJob(client, queries, job)
    jobs.delete(job.id)
    if (ended.state === 'done') done.push(item)
    else fails(item, ended.error ?? CANCELLED)
    report()
  }
  const begins = (item: Item, job: Job): void => {
    jobs.set(job.id, job)
    jobIds.push(job.id)
    const followed = follow(item, job).finally(() => running.delete(followed))
    running.add(followed)
  }
  const send = async (item: Item): Promise<void> => {
    try {
      const reply = await retryWhileBusy(() => request.act(item, abort.signal), abort.signal)
      if (isJob(reply)) begins(item, reply)
      else done.push(item)
    } catch (error) {
      fails(item, abort.signal.aborted && !(error instanceof ApiError) ? CANCELLED : problemOf(error))
    }
    answered += 1
    report()
  }
  const sendNext = async (): Promise<void> => {
    for (const [, item] of queue) {
      while (jobs.size >= MAX_JOBS) await Promise.race(running)
      if (abort.signal.aborted) return
      await send(item)
    }
  }
  const sendTogether = async (act: NonNullable<typeof request.actTogether>): Promise<void> => {
    let waiting = items
    while (waiting.length > 0 && !abort.signal.aborted) {
      while (jobs.size >= MAX_JOBS) await Promise.race(running)
      const sent = waiting.slice(0, MAX_CHANGES)
      const busy: Item[] = []
      // Not aborted by Cancel: what the server has done by then must be known, to be undone.
      const outcomes = await retryWhileBusy(() => act(sent), abort.signal).catch((error: unknown) => problemOf(error))
      for (const [index, item] of sent.entries()) {
        const { job, error } = 'code' in outcomes ? { error: outcomes } : (outcomes[index] ?? { error: CANCELLED })
        if (error?.code === 'BUSY') busy.push(item)
        else if (error !== undefined) fails(item, error)
        else if (job === undefined) done.push(item)
        else begins(item, job)
      }
      answered += sent.length - busy.length
      report()
      waiting = [...busy, ...waiting.slice(MAX_CHANGES)]
      if (busy.length === sent.length) await waitFor(BUSY_PAUSE, abort.signal)
    }
  }
  const { actTogether } = request
  if (actTogether !== undefined && items.length > 1) await sendTogether(actTogether)
  else await Promise.all(Array.from({ length: PARALLEL }, sendNext))
  while (running.size > 0) await Promise.all(running)
  const cancelled = abort.signal.aborted
  activity.change(id, { state: cancelled ? 'cancelled' : 'done', endedAt: Date.now() })
  return { id, done, failed, cancelled }
}

/** Tries again while the server is busy. */
async function retryWhileBusy<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'BUSY' || signal.aborted) throw error
      await waitFor(BUSY_PAUSE, signal)
    }
  }
}
