import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import type { User } from '../../domain/accounts/user.ts'
import { fail, type FilemgrError } from '../../domain/errors.ts'
import { isOver } from '../../domain/automation/job.ts'
import {
  type Maintenance,
  type MaintenanceInput,
  type MaintenanceStatus,
  maintenanceRefusal,
} from '../../domain/server/maintenance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { JobQueue } from '../../platform/limits/job-queue.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'

export interface MaintenanceServiceDeps {
  readonly store: Store<StoreDocument>
  readonly jobs: JobQueue
  readonly clock: Clock
}

interface Work {
  readonly stop: ((error: FilemgrError) => void) | undefined
}

/** Maintenance mode. It stays on, also through restarts, until an administrator ends it. */
export function createMaintenance({ store, jobs, clock }: MaintenanceServiceDeps) {
  const tracked = new Set<Work>()

  /** The error for everyone who is not let in. @param user undefined for visitors */
  const refusalOf = (user: User | undefined): FilemgrError | undefined =>
    maintenanceRefusal(store.snapshot().maintenance, user, clock.now())

  const status = (): MaintenanceStatus => {
    const { maintenance, users } = store.snapshot()
    const userOf = new Map(users.map((user) => [user.id, user]))
    const refusalOfUser = (userId: User['id']) => maintenanceRefusal(maintenance, userOf.get(userId), clock.now())
    return {
      on: maintenance !== undefined,
      message: maintenance?.message ?? '',
      since: maintenance?.since ?? null,
      until: maintenance?.until ?? null,
      running:
        maintenance === undefined
          ? { requests: 0, jobs: 0 }
          : {
              requests: tracked.size,
              jobs: jobs.list().filter((job) => !isOver(job) && refusalOfUser(job.userID)).length,
            },
    }
  }

  const unsubscribe = store.onChange((now, before) => {
    const error = maintenanceRefusal(now.maintenance, undefined, clock.now())
    if (error === undefined || before.maintenance !== undefined) return
    for (const { stop } of [...tracked]) stop?.(error)
  })

  return {
    refusalOf,

    /** @throws FORBIDDEN */
    status(actor: Actor): MaintenanceStatus {
      requireAdmin(actor, 'settings.manage')
      return status()
    },

    /**
     * Begins maintenance, or changes its message and expected end.
     *
     * @throws FORBIDDEN; INVALID_INPUT for an end that is not in the future
     */
    async begin(actor: Actor, { message = '', until }: MaintenanceInput): Promise<MaintenanceStatus> {
      requireAdmin(actor, 'settings.manage')
      const end = until === undefined ? undefined : futureTime(until, clock.now())
      await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        const maintenance: Maintenance = {
          message: message.trim(),
          since: draft.maintenance?.since ?? new Date(clock.now()).toISOString(),
          ...(end !== undefined && { until: end }),
        }
        draft.maintenance = maintenance
      })
      return status()
    },

    /** @throws FORBIDDEN */
    async end(actor: Actor): Promise<MaintenanceStatus> {
      requireAdmin(actor, 'settings.manage')
      await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        delete draft.maintenance
      })
      return status()
    },

    /**
     * Counts the work of someone who will not be let in during maintenance.
     *
     * @param stop called when maintenance begins; without it, the work goes on to its end
     * @returns call it when the work has ended
     */
    track(stop?: (error: FilemgrError) => void): () => void {
      const work: Work = { stop }
      tracked.add(work)
      return () => void tracked.delete(work)
    },

    [Symbol.dispose]: unsubscribe,
  }
}

/** @throws INVALID_INPUT */
function futureTime(text: string, now: number): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) fail('INVALID_INPUT', 'until must be a time such as 2026-11-24T08:00:00Z', { field: 'until' })
  if (time <= now) fail('INVALID_INPUT', 'the expected end must be in the future', { field: 'until' })
  return new Date(time).toISOString()
}
