import type { Actor } from '../../../domain/accounts/actor.ts'
import type { Provider } from '../../../domain/accounts/provider.ts'
import { FACTOR_DUE, type SecondFactorSettings } from '../../../domain/accounts/second-factor.ts'
import type { SignInWay } from '../../../domain/accounts/session.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { fail, FilemgrError } from '../../../domain/errors.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import { parseDuration } from '../../../domain/text/units.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { replaceUser, UserIndex } from '../../stored-users.ts'

export interface FactorRequirementDeps {
  readonly store: Store<StoreDocument>
  readonly clock: Clock
  readonly log: Logger
}

/** Until when a second factor must be set up, in milliseconds since 1970. */
interface Due {
  readonly due: number
  readonly isOver: boolean
}

type Judged = Pick<User, 'id' | 'perm' | 'factors' | 'factorAskedAt' | 'identities'>

/**
 * Decides who must set up a second factor, and what somebody may do who has not. The time for it begins with the first visit
 * while it is required.
 */
export function createFactorRequirement({ store, clock, log }: FactorRequirementDeps) {
  const accounts = new UserIndex(store)
  /** Of this daemon, so that each account is written once. */
  const asking = new Set<UserId>()

  const isRequired = (user: Judged, way: SignInWay, now: Readonly<StoreDocument>): boolean => {
    const { settings, providers, groups } = now
    const ids = accounts.groupsOf(user, groups).map(({ id }) => id)
    return mustHaveFactor(user, ids, settings.secondFactor) && takesSecondStep(way, providers)
  }

  const dueOf = (user: Judged, way: SignInWay): Due | undefined => {
    const now = store.snapshot()
    if (user.factors !== undefined || !isRequired(user, way, now)) return undefined
    const time = clock.now()
    const due = (user.factorAskedAt ?? time) + (parseDuration(now.settings.secondFactor.grace) ?? 0)
    return { due, isOver: time >= due }
  }

  /** Remembers when somebody was first asked; and forgets it once it is not required, so that the time begins anew. */
  const remember = (id: UserId, isAsked: boolean): void => {
    if (asking.has(id)) return
    asking.add(id)
    store
      .update((draft, now) => {
        const stored = now.users.find((user) => user.id === id)
        if (stored === undefined || (stored.factorAskedAt !== undefined) === isAsked) return
        const { factorAskedAt: _time, ...others } = stored
        replaceUser(draft, now, stored, isAsked ? { ...others, factorAskedAt: clock.now() } : others)
      })
      .catch((error: unknown) => log.error({ err: error }, 'the time to set up a second factor was not saved'))
      .finally(() => asking.delete(id))
  }

  return {
    dueOf,

    /**
     * Why a person who is signed in may do nothing but set up a second factor; undefined if they may. API tokens go on working:
     * they were made by somebody who was signed in then, and never stand for a person.
     */
    refusalOf(actor: Actor | undefined): FilemgrError | undefined {
      if (actor?.kind !== 'user' || actor.token !== undefined) return undefined
      const user = actor.user()
      const required = dueOf(user, actor.session)
      const isAsked = required !== undefined
      if (isAsked !== (user.factorAskedAt !== undefined) && user.factors === undefined) remember(user.id, isAsked)
      if (required?.isOver !== true) return undefined
      const message = 'your administrator requires a second factor: set one up on the page, under Settings, Security'
      return new FilemgrError('FORBIDDEN', message, { reason: FACTOR_DUE, explained: true })
    },

    /** @throws FORBIDDEN if the account may not be without a factor */
    requireMayLack(user: Judged, now: Readonly<StoreDocument>, way: SignInWay): void {
      if (isRequired(user, way, now))
        fail('FORBIDDEN', 'a second factor is required: set up another one before you remove this', {
          reason: 'lastFactor',
        })
    },
  }
}

export type FactorRequirement = ReturnType<typeof createFactorRequirement>

/** @param groups of the user */
function mustHaveFactor(
  { perm }: Pick<User, 'perm'>,
  groups: readonly GroupId[],
  { required, groups: named }: SecondFactorSettings,
): boolean {
  if (required === 'nobody' || required === 'everyone') return required === 'everyone'
  return perm.admin || (required === 'groups' && groups.some((id) => named.includes(id)))
}

/**
 * Whether a sign-in of this kind is completed by a second factor here. A proxy and most providers ask for one themselves, and a
 * passkey alone is two factors: the device, and what the device checks.
 */
export function takesSecondStep({ method, provider }: SignInWay, providers: readonly Provider[]): boolean {
  if (method === 'oidc' || method === 'ldap') return providers.find(({ id }) => id === provider)?.secondFactor ?? true
  return method === 'json' || method === 'hook'
}
