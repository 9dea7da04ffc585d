import { type Actor, userOf } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { ServerEvent } from '../../domain/event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Session } from '../../domain/accounts/session.ts'
import type { User } from '../../domain/accounts/user.ts'
import { below, cleanVirtualPath, parseVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { JobQueue } from '../../platform/limits/job-queue.ts'
import type { Random } from '../../platform/security/random.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Collection, RecordChange, Store } from '../../store/store.ts'
import type { AccessService } from '../access/access.ts'
import { EventQueue } from './event-queue.ts'
import { FolderFeed } from './folder-feed.ts'
import { type Notice, noticesOf, seesOther, sessionNoticesOf } from './store-feed.ts'
import type { FileChange, FileChanges } from '../files/file-changes.ts'
import { mayReach } from './jobs.ts'
import type { SessionWatch } from '../accounts/sessions/session-watch.ts'
import { isOver, type Job } from '../../domain/job.ts'
import { Pace } from './pace.ts'

/** Streams of one user. Each tab has one; forgotten ones must not add up. */
const MOST_STREAMS = 16

export interface EventsDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  readonly sessionWatch: SessionWatch
  readonly access: Pick<AccessService, 'for'>
  readonly changes: Pick<FileChanges, 'subscribe'>
  readonly jobs: Pick<JobQueue, 'onChange'>
  readonly clock: Clock
  readonly random: Random
}

export interface EventStreamInput {
  /** The folder to watch, as the text of the request, percent-decoded once. */
  readonly folder?: string | undefined
  /** The client was connected before: it has missed events. */
  readonly isAgain?: boolean
}

/** Events with their numbers, until it is disposed of or ends by itself. */
export interface EventStream extends Disposable {
  /** Undefined after the last one. */
  next(): Promise<{ readonly id: number; readonly event: ServerEvent } | undefined>
}

interface Open {
  readonly id: string
  readonly session: Session
  readonly queue: EventQueue
  readonly folder: FolderFeed
  close(last?: ServerEvent): void
}

/** Sends events to the clients that may see them. */
export function createEvents({ store, sessions, sessionWatch, access, changes, jobs, clock, random }: EventsDeps) {
  /** The oldest first. */
  const streams = new Set<Open>()
  let lastId = clock.now() * 1000

  const current = ({ session }: Pick<Open, 'session'>): User | undefined =>
    store.snapshot().users.find(({ id }) => id === session.userId)

  const tell = (concerns: (user: User) => boolean, event: ServerEvent): void => {
    for (const stream of streams) {
      const user = current(stream)
      if (user !== undefined && concerns(user)) stream.queue.push(event)
    }
  }

  const tellAll = (notices: readonly Notice[]): void => {
    for (const { event, concerns } of notices) tell(concerns, event)
  }

  const onStore = (now: Readonly<StoreDocument>, before: Readonly<StoreDocument>): void => {
    if (streams.size === 0) return
    tellAll(noticesOf(now, before))
    for (const { session, folder } of streams) if (seesOther(session.userId, now, before)) void folder.followAgain()
  }

  const onSessions = (changes: readonly RecordChange<Session>[]): void => {
    if (streams.size > 0) tellAll(sessionNoticesOf(changes))
  }

  const onFiles = (change: FileChange): void => {
    if (streams.size === 0) return
    const scope = cleanVirtualPath(change.user.scope)
    const places = change.kind === 'moved' ? [change.from, change.to] : [change.path]
    for (const { folder } of streams) for (const place of places) folder.heard(below(scope, place))
  }

  const makeRoom = (userId: UserId): void => {
    const own = [...streams].filter(({ session }) => session.userId === userId)
    // The oldest is probably a sleeping computer. It gets a reason, so that a live page does not reconnect at once.
    for (const oldest of own.slice(0, Math.max(0, own.length - MOST_STREAMS + 1)))
      oldest.close({ name: 'session', data: { end: 'replaced' } })
  }

  const stops = [
    store.onChange(onStore),
    sessions.onChange(onSessions),
    changes.subscribe(onFiles),
    feedJobs(jobs, (job) => tell((user) => mayReach(user, job), { name: 'job', data: job })),
  ]

  return {
    /**
     * Ends with the session. Of more than 16 streams of one user the oldest ends.
     *
     * @throws FORBIDDEN, NOT_FOUND, CONFLICT when the folder cannot be watched
     */
    async open(actor: Actor, { folder: text, isAgain = false }: EventStreamInput): Promise<EventStream> {
      userOf(actor)
      if (actor.kind !== 'user') fail('FORBIDDEN', 'this belongs to users')
      const { session } = actor
      const queue = new EventQueue()
      const folder = new FolderFeed({
        access,
        actor: () => {
          const user = current({ session })
          return user && { kind: 'user', user, session }
        },
        tell: (event) => queue.push(event),
      })
      await folder.follow(folderOf(text))
      const id = random.token(12)
      const stream: Open = {
        ...{ id, session, queue, folder },
        close(last) {
          streams.delete(stream)
          hearNoMore()
          folder[Symbol.dispose]()
          queue.end(last)
        },
      }
      const hearNoMore = sessionWatch.onEnd(session, (end) => stream.close({ name: 'session', data: { end } }))
      makeRoom(session.userId)
      streams.add(stream)
      queue.push({ name: 'hello', data: { stream: id, ...(folder.path !== undefined && { folder: folder.path }) } })
      if (isAgain) queue.push({ name: 'gap', data: {} })
      return {
        async next() {
          const event = await queue.next()
          if (event === undefined) return undefined
          lastId += 1
          return { id: lastId, event }
        },
        [Symbol.dispose]: () => stream.close(),
      }
    },

    /**
     * Another folder for an open stream, or none. It is watched when this resolves.
     *
     * @throws NOT_FOUND for a stream that is not one's own; as `open`, and the folder before is watched on
     */
    async watch(actor: Actor, id: string, text: string | undefined): Promise<void> {
      const user = userOf(actor)
      const stream = [...streams].find((open) => open.id === id && open.session.userId === user.id)
      if (stream === undefined) fail('NOT_FOUND', 'there is no such stream; open it again')
      await stream.folder.follow(folderOf(text))
      // The stream has ended in the meantime, and would never release the folder.
      if (!streams.has(stream)) stream.folder[Symbol.dispose]()
    },

    /** Ends all streams: the server stops. */
    stop(): void {
      for (const stream of streams) stream.close({ name: 'server', data: { state: 'stopping' } })
    },

    [Symbol.dispose]() {
      for (const stop of stops) stop()
      for (const stream of streams) stream.close()
    },
  }
}

export type Events = ReturnType<typeof createEvents>

function folderOf(text: string | undefined): VirtualPath | undefined {
  return text === undefined || text === '' ? undefined : parseVirtualPath(text)
}

/** About four times a second. */
const PROGRESS = { delay: 0, pause: 250 }

/** Reports each change of state at once, and progress no more often than a person can follow. @returns a stop function */
export function feedJobs(queue: Pick<JobQueue, 'onChange'>, tell: (job: Job) => void): () => void {
  const running = new Map<string, { state: Job['state']; readonly pace: Pace }>()
  return queue.onChange((job) => {
    const known = running.get(job.id) ?? { state: job.state, pace: new Pace(() => tell(structuredClone(job))) }
    const isNew = !running.has(job.id) || known.state !== job.state
    known.state = job.state
    running.set(job.id, known)
    if (!isNew) return known.pace.word(PROGRESS)
    known.pace[Symbol.dispose]()
    if (isOver(job)) running.delete(job.id)
    tell(structuredClone(job))
  })
}
