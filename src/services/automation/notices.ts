import { type Actor, requireSignedIn } from '../../domain/accounts/actor.ts'
import type { EffectiveUser } from '../../domain/accounts/effective-user.ts'
import {
  type AwayRoot,
  fullnessStep,
  inOrder,
  NOTHING_SEEN,
  type Notice,
  noticesOfGrant,
  noticesOfJob,
  noticesOfQuota,
  noticesOfRoot,
  noticesOfShare,
} from '../../domain/automation/notice.ts'
import { mayDo } from '../../domain/access/permissions.ts'
import { fail } from '../../domain/errors.ts'
import type { SharedWithMe } from '../../domain/shares/grant.ts'
import type { Share } from '../../domain/shares/share.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import type { Jobs } from './events/jobs.ts'

export interface NoticesDeps {
  readonly store: Store<StoreDocument>
  readonly jobs: Pick<Jobs, 'list'>
  readonly quotas: Pick<Quotas, 'knownUseOf'>
  readonly ownShares: (actor: Actor) => readonly Share[]
  readonly sharedWith: (actor: Actor) => readonly SharedWithMe[]
  readonly awayRoots: () => readonly AwayRoot[]
  readonly clock: Clock
}

/** Most notices that a user gets. */
const MAX_NOTICES = 100

/** What users may have missed: derived from their links, what others share, jobs and quota whenever they ask. Only what they have read is stored. */
export function createNotices({ store, jobs, quotas, ownShares, sharedWith, awayRoots, clock }: NoticesDeps) {
  return {
    /** New ones first. @throws FORBIDDEN for the operator; STORE_BUSY */
    async list(actor: Actor): Promise<Notice[]> {
      const user = userOf(actor)
      const seen = user.noticesSeen ?? NOTHING_SEEN
      const ofShares = ownShares(actor).flatMap((share) => noticesOfShare(share, seen, clock.now()))
      const ofJobs = (await jobs.list(actor, { all: false })).flatMap((job) => noticesOfJob(job, seen))
      const ofGrants = sharedWith(actor).flatMap((grant) => noticesOfGrant(grant, clock.now()))
      const use = await quotas.knownUseOf(user)
      const ofQuota = use === undefined ? [] : noticesOfQuota(use, seen)
      const ofRoots = mayDo(user.perm, 'settings.manage')
        ? awayRoots().flatMap((away) => noticesOfRoot(away, seen))
        : []
      return inOrder([...ofShares, ...ofGrants, ...ofJobs, ...ofQuota, ...ofRoots]).slice(0, MAX_NOTICES)
    },

    /**
     * Marks notices as read, on all devices of the user: those until a time, and how full the quota is.
     *
     * @param until in milliseconds since 1970
     * @throws FORBIDDEN
     */
    async see(actor: Actor, until: number): Promise<void> {
      requireSignedIn(actor)
      const user = userOf(actor)
      const use = await quotas.knownUseOf(user)
      const fullness = use === undefined ? 0 : fullnessStep(use)
      await store.update((draft, { users }) => {
        const at = users.findIndex(({ id }) => id === user.id)
        const stored = users[at]
        if (stored === undefined) return
        const { noticesSeen = NOTHING_SEEN } = stored
        const noticesNow = { until: Math.max(noticesSeen.until, Math.min(until, clock.now())), fullness }
        draft.users = users.with(at, { ...stored, noticesSeen: noticesNow })
      })
    },
  }
}

function userOf(actor: Actor): EffectiveUser {
  return actor.kind === 'user' ? actor.user() : fail('FORBIDDEN', 'this belongs to users')
}
