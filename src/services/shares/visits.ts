import type { Visitor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { maintenanceRefusal } from '../../domain/server/maintenance.ts'
import { isExpired, type Share } from '../../domain/shares/share.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import { deriveToken, digestOf, equalTexts } from '../../platform/security/tokens.ts'
import type { PasswordHasher } from '../../platform/security/password-hasher.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { Throttle } from '../accounts/auth/throttle.ts'
import type { Openings } from './openings.ts'
import { UserIndex } from '../stored-users.ts'
import { ShareIndex } from './share-index.ts'
import { servedPathOf } from './share-records.ts'

export interface VisitsDeps {
  readonly store: Store<StoreDocument>
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly openings: Openings
  readonly clock: Clock
}

export interface VisitRequest {
  readonly hash: string
  /** Decoded; undefined when none was sent. */
  readonly password: string | undefined
  readonly token: string | undefined
  readonly address: string
}

export interface Visit {
  readonly visitor: Visitor
  /** What was shared, as a path in the served folder, for logs. */
  readonly target: VirtualPath
  /** Replaces the password in later requests; undefined for a share without one. */
  readonly token: string | undefined
}

/** Checks who may open a public link. `AccessService.for` decides what a visitor may read. */
export function createVisits({ store, hasher, throttle, openings, clock }: VisitsDeps) {
  const users = new UserIndex(store)
  const links = new ShareIndex()

  const findShare = (hash: string): Share | undefined => {
    const share = links.find(store.snapshot().shares, hash)
    return share === undefined || isExpired(share, clock.now()) ? undefined : share
  }

  const isRightToken = (share: Share, expected: string, token: string): boolean =>
    equalTexts(token, expected) || (share.tokenHash !== undefined && equalTexts(digestOf(token), share.tokenHash))

  /** @returns the token that replaces the password from now on */
  const unlock = async (share: Share, passwordHash: string, { password, token, address }: VisitRequest) => {
    // Derived from the hash of the password, so that a new password invalidates it.
    const expected = deriveToken(store.snapshot().secrets.tokenKey, 'share', share.hash, passwordHash)
    if (token !== undefined && isRightToken(share, expected, token)) return expected
    if (password === undefined || password === '') fail('UNAUTHENTICATED', 'this link needs its password')
    const check = async () => ((await hasher.verify(password, passwordHash)) ? true : undefined)
    if ((await throttle.attempt({ link: share.hash, address }, check)) === undefined)
      fail('UNAUTHENTICATED', 'the password is wrong')
    return expected
  }

  /** @throws NOT_FOUND */
  const findLink = (hash: string) => {
    const share = findShare(hash)
    const owner = share && users.find(share.userID)
    if (share === undefined || owner === undefined || owner.disabled) fail('NOT_FOUND', 'there is no such share')
    return { share, owner }
  }

  /** Of an admitted visitor, who is one no longer once the link has another password. */
  const visitorOf = ({ hash, passwordHash }: Share, address: string): Visitor => ({
    kind: 'visitor',
    hash,
    address,
    passed: new Set(),
    link() {
      const link = findLink(hash)
      if (link.share.passwordHash !== passwordHash) fail('UNAUTHENTICATED', 'this link has another password now')
      return link
    },
  })

  /** What is known before the password. @throws MAINTENANCE, NOT_FOUND */
  const findClosed = (hash: string): Share => {
    const refusal = maintenanceRefusal(store.snapshot().maintenance, undefined, clock.now())
    if (refusal !== undefined) throw refusal
    return findShare(hash) ?? fail('NOT_FOUND', 'there is no such share')
  }

  return {
    /** Tells no more about a link than `enter` tells everyone. @throws MAINTENANCE, NOT_FOUND like `enter` */
    requireLink(hash: string): void {
      const { passwordHash } = findClosed(hash)
      // Only those who know the password learn that its owner is disabled.
      if (passwordHash === undefined) findLink(hash)
    },

    /**
     * Does not access the target, so that nothing about it is revealed before the password.
     *
     * @throws MAINTENANCE, NOT_FOUND (unknown, expired, owner gone or disabled), UNAUTHENTICATED, RATE_LIMITED, BUSY
     */
    async enter(request: VisitRequest): Promise<Visit> {
      const share = findClosed(request.hash)
      const { passwordHash } = share
      const token = passwordHash === undefined ? undefined : await unlock(share, passwordHash, request)
      const visitor = visitorOf(share, request.address)
      visitor.link()
      return { visitor, target: servedPathOf(share), token }
    },

    /** Counts an opening of a link. */
    count: ({ hash }: Visitor): void => openings.add(hash),
  }
}

export type Visits = ReturnType<typeof createVisits>
