import type { QueryClient } from '@tanstack/react-query'
import type { Job } from '../../../../../src/domain/automation/job.ts'
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

interface BatchRequest<Item> {
  readonly kind: BatchKind
  readonly items: readonly Item[]
  readonly folder?: VirtualPath | undefined
  pathOf(item: Item): VirtualPath
  /** Sends the request for one item. The server answers with a job when it takes long. */
  act(item: Item, signal: AbortSignal): Promise<unknown>
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

/** Runs the operation on all items, a few at a time. Failed items do not stop the others. */
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

  const fails = (item: Item, problem: Problem): void => {
    failed.push({ item, path: pathOf(item), problem })
    activity.change(id, { failed: [...failed] })
    if (request.stopsAll?.(problem) === true) abort.abort()
  }
  const succeeds = (item: Item): void => {
    done.push(item)
    activity.change(id, { done: done.length })
  }
  const follow = async (item: Item, job: Job): Promise<void> => {
    jobs.set(job.id, job)
    jobIds.push(job.id)
    activity.change(id, { jobs: [...jobIds] })
    const ended = await watchJob(client, queries, job)
    jobs.delete(job.id)
    if (ended.state === 'done') succeeds(item)
    else fails(item, ended.error ?? CANCELLED)
  }
  const send = async (item: Item): Promise<void> => {
    try {
      const reply = await retryWhileBusy(() => request.act(item, abort.signal), abort.signal)
      activity.change(id, { answered: ++answered })
      if (!isJob(reply)) {
        succeeds(item)
        return
      }
      const followed = follow(item, reply).finally(() => running.delete(followed))
      running.add(followed)
    } catch (error) {
      activity.change(id, { answered: ++answered })
      fails(item, abort.signal.aborted && !(error instanceof ApiError) ? CANCELLED : problemOf(error))
    }
  }
  const sendNext = async (): Promise<void> => {
    for (const [, item] of queue) {
      while (jobs.size >= MAX_JOBS) await Promise.race(running)
      if (abort.signal.aborted) return
      await send(item)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, sendNext))
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
