import { type Actor, reachesPath } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { Job } from '../../domain/job.ts'
import { mayDo } from '../../domain/access/permissions.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { User } from '../../domain/accounts/user.ts'
import type { JobQueue } from '../../platform/limits/job-queue.ts'

export interface JobsDeps {
  readonly queue: Pick<JobQueue, 'list' | 'find' | 'cancel'>
}

/** Jobs of the user; for administrators, of all users. */
export function createJobs({ queue }: JobsDeps) {
  const find = (actor: Actor, id: string): Job => {
    const job = queue.find(id)
    // Does not reveal that another user's job exists.
    if (job === undefined || !isReachable(actor, job)) fail('NOT_FOUND', 'there is no job with this id')
    return job
  }

  return {
    /** @throws FORBIDDEN if a user without the right asks for the jobs of all users */
    list(actor: Actor, { all }: { readonly all: boolean }): Job[] {
      if (!all && actor.kind === 'user') return queue.list(actor.user.id).filter((job) => isReachable(actor, job))
      if (actor.kind === 'user' && !mayDo(actor.user.perm, 'jobs.manage'))
        fail('FORBIDDEN', 'only administrators see the jobs of others')
      return queue.list()
    },
    find,
    cancel(actor: Actor, id: string): void {
      queue.cancel(find(actor, id).id)
    },
  }
}

export type Jobs = ReturnType<typeof createJobs>

function isReachable(actor: Actor, job: Job): boolean {
  return actor.kind === 'operator' || (mayReach(actor.user, job) && reachesPath(actor, job.path as VirtualPath))
}

export function mayReach({ id, perm }: User, { userID }: Job): boolean {
  return userID === id || mayDo(perm, 'jobs.manage')
}
