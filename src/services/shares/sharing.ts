import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { PasswordHasher } from '../../platform/security/password-hasher.ts'
import type { Random } from '../../platform/security/random.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { SharedFacts, Store } from '../../store/store.ts'
import type { AccessService } from '../access/access.ts'
import type { FileChanges } from '../access/file-changes.ts'
import type { HookRunner } from '../automation/hooks/hook-runner.ts'
import { createGrants } from './grants.ts'
import { createArrivals } from './arrivals.ts'
import { createShares } from './shares.ts'
import { createLinkCards, createSharedFiles } from './shared-files.ts'
import { createLimitedDownloads } from './limited-downloads.ts'
import { createOpenings } from './openings.ts'
import { createThrottle } from '../accounts/auth/throttle.ts'
import { followFiles } from './share-following.ts'
import { createShareTargets } from './share-records.ts'
import { createVisits } from './visits.ts'

export interface SharingDeps {
  readonly store: Store<StoreDocument>
  readonly access: AccessService
  readonly changes: FileChanges
  readonly hooks: HookRunner
  readonly facts: SharedFacts
  /** Of passwords of shares, whose hashes cost less than those of accounts. */
  readonly hasher: PasswordHasher
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** Everything about public links. */
export function createSharing(deps: SharingDeps) {
  const { access, changes, store, facts, clock } = deps
  const targets = createShareTargets({ access })
  const openings = createOpenings(deps)
  followFiles({ store, changes, targets, clock })
  const visits = createVisits({ ...deps, throttle: createThrottle({ facts, clock }), openings })
  return {
    shares: createShares({ ...deps, targets, openings }),
    grants: createGrants({ ...deps, targets }),
    arrivals: createArrivals(deps),
    visits,
    limitedDownloads: createLimitedDownloads({ store, clock }),
    sharedFiles: createSharedFiles({ access }),
    linkCards: createLinkCards({ access, visits }),
    openings,
  }
}
