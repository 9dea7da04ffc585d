import { MAX_TRUSTED, type TrustedDevice, type TrustedDeviceView } from '../../../domain/accounts/factors.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Random } from '../../../platform/security/random.ts'
import { digestOf } from '../../../platform/security/tokens.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { ClientInfo } from '../auth/sign-in-request.ts'

/** Milliseconds. */
const DAY = 24 * 60 * 60_000
const MAX_USER_AGENT = 256

export interface TrustedDevicesDeps {
  readonly store: Store<StoreDocument>
  readonly clock: Clock
  readonly random: Random
}

/** What a device keeps. */
export interface NewTrust {
  readonly id: string
  readonly userId: UserId
  readonly secret: string
  /** Milliseconds. */
  readonly lifetime: number
}

/**
 * Devices that are not asked for the second step of signing in. They stand in for nothing else: not for the password, and not
 * where a change of the account is confirmed.
 */
export function createTrustedDevices({ store, clock, random }: TrustedDevicesDeps) {
  const days = (): number => store.snapshot().settings.secondFactor.trustDays

  /** Fewer days in the settings end what was promised for longer. */
  const isTrusted = (device: TrustedDevice, { credentialsVersion }: Pick<User, 'credentialsVersion'>): boolean => {
    const age = clock.now() - device.since
    const isInTime = age >= 0 && age < days() * DAY && clock.now() < device.until
    return isInTime && device.credentialsVersion === credentialsVersion
  }

  const trustedOf = (user: Pick<User, 'factors' | 'credentialsVersion'>): TrustedDevice[] =>
    (user.factors?.trusted ?? []).filter((device) => isTrusted(device, user))

  return {
    /** For how many days a device is trusted; 0 if none may be. */
    days,

    /** The trusted device of this account that the client is. */
    find(user: User, { trustOf }: ClientInfo): TrustedDevice | undefined {
      const secret = trustOf?.(user.id)
      if (secret === undefined) return undefined
      const hash = digestOf(secret)
      return trustedOf(user).find((device) => device.hash === hash)
    },

    /**
     * Trusts the client from now on.
     *
     * @param user whose second factor the client has shown
     * @returns undefined if that is not allowed, or the account has changed meanwhile
     */
    async trust(user: User, { userAgent }: ClientInfo): Promise<NewTrust | undefined> {
      const lifetime = days() * DAY
      if (lifetime === 0) return undefined
      const { id: userId, credentialsVersion } = user
      const [id, secret, since] = [random.token(9), random.token(32), clock.now()]
      const device: TrustedDevice = {
        id,
        hash: digestOf(secret),
        credentialsVersion,
        userAgent: userAgent.slice(0, MAX_USER_AGENT),
        since,
        until: since + lifetime,
      }
      return await store.update((draft, now) => {
        const stored = now.users.find((each) => each.id === userId)
        if (stored?.factors === undefined || stored.credentialsVersion !== credentialsVersion) return undefined
        const trusted = [...trustedOf(stored), device].slice(-MAX_TRUSTED)
        const changed = { ...stored, factors: { ...stored.factors, trusted } }
        draft.users = now.users.map((each) => (each === stored ? changed : each))
        return { id, userId, secret, lifetime }
      })
    },

    list: (user: User, session: Session): TrustedDeviceView[] =>
      trustedOf(user).map(({ id, userAgent, since, until }) => ({
        id,
        userAgent,
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
        current: id === session.device,
      })),
  }
}

export type TrustedDevices = ReturnType<typeof createTrustedDevices>

/** Makes these devices take the second step again. */
export async function forgetDevices(
  store: Store<StoreDocument>,
  isForgotten: (device: Pick<TrustedDevice, 'id'>, owner: UserId) => boolean,
): Promise<void> {
  const remembering = (user: User): User => {
    const { factors } = user
    if (factors?.trusted === undefined) return user
    const trusted = factors.trusted.filter((device) => !isForgotten(device, user.id))
    return trusted.length === factors.trusted.length ? user : { ...user, factors: { ...factors, trusted } }
  }
  await store.update((draft, now) => {
    const users = now.users.map(remembering)
    if (users.some((user, at) => user !== now.users[at])) draft.users = users
  })
}
