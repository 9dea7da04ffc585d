import { userOf as userOfActor, type Actor } from '../domain/actor.ts'
import { fail } from '../domain/errors.ts'
import type { SessionFamily, UserId } from '../domain/ids.ts'
import { mayDo, requireRight } from '../domain/rights.ts'
import type { Session, SessionView } from '../domain/session.ts'
import type { User } from '../domain/user.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { Random } from '../platform/random.ts'
import type { SessionDocument, StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import type { ClientInfo } from './sessions/client-info.ts'
import { SessionActivity } from './sessions/session-activity.ts'
import { isHeld, isOver, isReplay, type SessionLife } from './sessions/session-life.ts'
import { devicesOf, newSession, swept, type Device } from './sessions/session-records.ts'

/** Signed-in devices. One device is one family: its id stays the same through renewals. */
export interface Sessions extends AsyncDisposable {
  /** Own devices; those of everybody or of another user for administrators and the operator. Last seen first. */
  list(actor: Actor, filter?: { all?: boolean; userId?: UserId }): Promise<SessionView[]>
  /** @throws NOT_FOUND; FORBIDDEN for somebody else's */
  revoke(actor: Actor, id: string): Promise<void>
  /** Signs a user out everywhere. Resolves with the number of devices. */
  revokeAllOf(actor: Actor, userId: UserId): Promise<number>
  /** Signs everybody out, the one who asks too. Resolves with the number of devices. @throws FORBIDDEN */
  revokeEverybody(actor: Actor): Promise<number>
  /** Signs out all own devices but this one. Resolves with their number. */
  revokeOthers(actor: Actor): Promise<number>
}

/** What signing in needs of sessions; the faces do not see it. */
export interface SessionBook extends Sessions {
  start(user: User, client: ClientInfo): Promise<Session>
  /** A new id in the same family; the old one is good for a minute more. @throws UNAUTHENTICATED when it has ended meanwhile */
  renew(session: Session, user: User, client: ClientInfo): Promise<Session>
  /** Whether `resume` would let this id in. Only looks: nothing is noted or ended. */
  isGood(id: string): boolean
  /** The session and its user. @throws UNAUTHENTICATED when it is over, was ended, or was replaced and is used again */
  resume(id: string, client: ClientInfo): Promise<{ session: Session; user: User }>
  /** The same for going on with an upload: a session that has expired and is held for one is resumed as late. */
  resumeForUpload(id: string, client: ClientInfo): Promise<{ session: Session; user: User; isLate: boolean }>
  /** Keeps the record of a session so long, in milliseconds since 1970, also when it expires before. */
  hold(session: Session, until: number): Promise<void>
  end(family: SessionFamily): Promise<void>
  endAllOf(userId: UserId): Promise<void>
  /** Ends those of a user that began before his last change of credentials, except for this device. */
  endOthers(user: User, kept: SessionFamily | undefined): Promise<void>
}

export interface SessionsDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Store<SessionDocument>
  readonly life: () => SessionLife
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

export function createSessions({ store, sessions, life, clock, random, log }: SessionsDeps): SessionBook {
  const byId = new WeakMap<Readonly<SessionDocument>, Map<string, Session>>()

  const find = (id: string): Session | undefined => {
    const document = sessions.snapshot()
    const index = byId.get(document) ?? new Map(document.sessions.map((session) => [session.id as string, session]))
    byId.set(document, index)
    return index.get(id)
  }

  const userOf = (session: Session): User | undefined =>
    store.snapshot().users.find((user) => user.id === session.userId)

  const isUnrevoked = (session: Session): boolean => userOf(session)?.credentialsVersion === session.credentialsVersion

  const isAlive = (session: Session): boolean => !isOver(session, clock.now(), life()) && isUnrevoked(session)

  const isLate = (session: Session): boolean =>
    isOver(session, clock.now(), life()) && isHeld(session, clock.now()) && isUnrevoked(session)

  /** Every write takes the opportunity to drop what is over. */
  const change = async (alter: (list: Session[]) => Session[]): Promise<void> => {
    await sessions.update((draft) => {
      draft.sessions = swept(alter(draft.sessions), clock.now(), life())
    })
  }

  const endWhere = async (ends: (session: Session) => boolean): Promise<void> =>
    await change((list) => list.filter((session) => !ends(session)))

  /** Those that are late, too: whoever has a device signed out means its uploads as well. */
  const aliveDevices = (): Device[] =>
    devicesOf(sessions.snapshot().sessions.filter((session) => isAlive(session) || isLate(session)))

  const activity = new SessionActivity({
    clock,
    write: async (apply) => {
      await change((list) => {
        apply(list)
        return list
      })
    },
    onFailure: (error) => log.error({ err: error }, 'when sessions were last seen could not be saved'),
  })

  const resume: SessionBook['resume'] = async (id, client) => {
    const session = find(id)
    const user = session === undefined ? undefined : userOf(session)
    if (session === undefined || user === undefined || !isAlive(session)) {
      fail('UNAUTHENTICATED', 'the session has ended; sign in again')
    }
    if (isReplay(session, clock.now())) {
      await endWhere(({ family }) => family === session.family)
      log.warn(
        { user: user.username, address: client.address },
        'a replaced token was used again; its session was ended',
      )
      fail('UNAUTHENTICATED', 'the session has ended; sign in again')
    }
    activity.note(session, client.address)
    return { session, user }
  }

  return {
    resume,

    async list(actor, { all = false, userId } = {}) {
      const own = actor.kind === 'user' ? actor.user.id : undefined
      const wanted = userId ?? (all ? undefined : own)
      if (actor.kind === 'user' && wanted !== own) requireRight(actor.user.perm, 'sessions.manage')
      const names = new Map(store.snapshot().users.map((user) => [user.id, user.username]))
      return aliveDevices()
        .filter((device) => wanted === undefined || device.userId === wanted)
        .map((device) => viewOf(device, names.get(device.userId) ?? '', actor))
    },

    async revoke(actor, id) {
      const device = aliveDevices().find(({ family }) => family === id)
      if (device === undefined) fail('NOT_FOUND', 'there is no such session')
      requireOwner(actor, device.userId)
      await endWhere((session) => session.family === device.family)
    },

    async revokeAllOf(actor, userId) {
      requireOwner(actor, userId)
      const count = aliveDevices().filter((device) => device.userId === userId).length
      await endWhere((session) => session.userId === userId)
      return count
    },

    async revokeEverybody(actor) {
      if (actor.kind === 'user') requireRight(actor.user.perm, 'sessions.manage')
      const count = aliveDevices().length
      await endWhere(() => true)
      return count
    },

    async revokeOthers(actor) {
      const { id } = userOfActor(actor)
      const kept = actor.kind === 'user' ? actor.session.family : undefined
      const isOther = ({ userId, family }: { userId: UserId; family: SessionFamily }) =>
        userId === id && family !== kept
      const count = aliveDevices().filter(isOther).length
      await endWhere(isOther)
      return count
    },

    async start(user, client) {
      const session = newSession({ user, client, now: clock.now(), life: life(), random })
      await change((list) => [...list, session])
      return session
    },

    async renew({ id }, user, client) {
      const now = clock.now()
      return await sessions.update((draft) => {
        const previous = draft.sessions.find((session) => session.id === id)
        if (previous === undefined || !isAlive(previous))
          fail('UNAUTHENTICATED', 'the session has ended; sign in again')
        const next = newSession({ user, client, now, life: life(), random, previous })
        // Not put off by a second renewal: with a stolen id one could otherwise renew for ever beside its owner.
        previous.supersededAt ??= now
        draft.sessions = swept([...draft.sessions, next], now, life())
        return next
      })
    },

    isGood(id) {
      const session = find(id)
      return session !== undefined && isAlive(session) && !isReplay(session, clock.now())
    },

    async resumeForUpload(id, client) {
      const session = find(id)
      if (session === undefined || !isLate(session)) return { ...(await resume(id, client)), isLate: false }
      const user = userOf(session) ?? fail('UNAUTHENTICATED', 'the session has ended; sign in again')
      activity.note(session, client.address)
      return { session, user, isLate: true }
    },

    async hold({ id }, until) {
      await change((list) => {
        const held = list.find((session) => session.id === id)
        // It may have been ended meanwhile, and stays so.
        if (held !== undefined) held.heldUntil = Math.max(held.heldUntil ?? 0, until)
        return list
      })
    },

    end: async (family) => await endWhere((session) => session.family === family),

    endAllOf: async (userId) => await endWhere((session) => session.userId === userId),

    async endOthers(user, kept) {
      await change((list) =>
        list
          .filter((session) => session.userId !== user.id || session.family === kept)
          .map((session) =>
            session.userId === user.id ? { ...session, credentialsVersion: user.credentialsVersion } : session,
          ),
      )
    },

    [Symbol.asyncDispose]: async () => await activity[Symbol.asyncDispose](),
  }
}

function requireOwner(actor: Actor, userId: UserId): void {
  if (actor.kind === 'operator' || actor.user.id === userId) return
  if (!mayDo(actor.user.perm, 'sessions.manage')) fail('FORBIDDEN', 'this is the session of another user')
}

function viewOf({ family, newest, lastSeen, userId }: Device, username: string, actor: Actor): SessionView {
  const iso = (time: number) => new Date(time).toISOString()
  return {
    id: family,
    userId,
    username,
    current: actor.kind === 'user' && actor.session.family === family,
    signedInAt: iso(newest.signedInAt),
    lastSeenAt: iso(lastSeen.lastSeenAt),
    expiresAt: iso(newest.expiresAt),
    address: lastSeen.address,
    userAgent: newest.userAgent,
  }
}
