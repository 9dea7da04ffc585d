import { compareBytes } from '../../../domain/files/listing-order.ts'
import { type Actor, reachesPath } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import { inBrief, isOver, type Job } from '../../../domain/automation/job.ts'
import { mayDo } from '../../../domain/access/permissions.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { JobQueue } from '../../../platform/limits/job-queue.ts'
import type { JobBoard } from '../../../store/store.ts'
import type { JobJournal } from '../jobs/job-notes.ts'

export interface JobsDeps {
  readonly queue: JobQueue
  readonly board: JobBoard
  readonly journal: JobJournal
}

/** Jobs of the user; for administrators, of all users. Those of other daemons too. */
export function createJobs({ queue, board, journal }: JobsDeps) {
  const unsubscribe = queue.onChange((job) =>
    board.show(job, { lease: journal.leaseOf(job.id), stop: (error) => queue.cancel(job.id, error) }),
  )

  const find = async (actor: Actor, id: string): Promise<Job> => {
    const job = queue.find(id) ?? (await board.find(id))
    // Does not reveal that another user's job exists.
    if (job === undefined || !isReachable(actor, job)) fail('NOT_FOUND', 'there is no job with this id')
    return job
  }

  const newestFirst = async (own: readonly Job[]): Promise<Job[]> => {
    const others = (await board.list()).filter(({ id }) => queue.find(id) === undefined)
    if (others.length === 0) return [...own]
    return [...own, ...others.map(inBrief)].toSorted((a, b) => compareBytes(b.created, a.created))
  }

  return {
    /** @throws FORBIDDEN if a user without the right asks for the jobs of all users */
    async list(actor: Actor, { all }: { readonly all: boolean }): Promise<Job[]> {
      if (!all && actor.kind === 'user') {
        const jobs = await newestFirst(queue.list(actor.id))
        return jobs.filter((job) => job.userID === actor.id && isReachable(actor, job))
      }
      if (actor.kind === 'user' && !mayDo(actor.user().perm, 'jobs.manage'))
        fail('FORBIDDEN', 'only administrators see the jobs of others')
      return await newestFirst(queue.list())
    },
    find,
    async cancel(actor: Actor, id: string): Promise<void> {
      await find(actor, id)
      if (queue.find(id) === undefined) await board.cancel(id)
      else queue.cancel(id)
    },
    /** Those that wait or run on this daemon. */
    unfinished: (): Job[] => queue.list().filter((job) => !isOver(job)),
    /** Called after each change of a job on this daemon. @returns a function that unsubscribes */
    onChange: (listener: (job: Job) => void) => queue.onChange(listener),
    [Symbol.dispose]: unsubscribe,
  }
}

function isReachable(actor: Actor, job: Job): boolean {
  return actor.kind === 'operator' || (mayReach(actor.user(), job) && reachesPath(actor, job.path as VirtualPath))
}

export function mayReach({ id, perm }: User, { userID }: Job): boolean {
  return userID === id || mayDo(perm, 'jobs.manage')
}

export type Jobs = ReturnType<typeof createJobs>
