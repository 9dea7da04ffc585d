import { type Actor, requireSignedIn, userIdOf } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import type { ServerEvent } from '../../../domain/automation/event.ts'
import type { UserId } from '../../../domain/ids.ts'
import { maintenanceRefusal } from '../../../domain/server/maintenance.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { EffectiveUser } from '../../../domain/accounts/effective-user.ts'
import { parentOf, parseVirtualPath, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { JobQueue } from '../../../platform/limits/job-queue.ts'
import { Slots } from '../../../platform/limits/limiter.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Collection, JobBoard, Messages, RecordChange, Store } from '../../../store/store.ts'
import type { AccessService } from '../../access/access.ts'
import { UserIndex } from '../../stored-users.ts'
import { EventQueue } from './event-queue.ts'
import { FolderFeed } from './folder-feed.ts'
import { hasAccessChanged, type Notice, noticesOf, sessionNoticesOf } from './store-feed.ts'
import { type FileChange, type FileChanges, servedPathsOf } from '../../access/file-changes.ts'
import { mayReach } from './jobs.ts'
import type { SessionWatch } from '../../accounts/sessions/session-watch.ts'
import { inBrief, isOver, type Job } from '../../../domain/automation/job.ts'
import { Debounce } from './debounce.ts'

/** Streams of one user, one for each tab. The limit keeps abandoned ones from piling up. */
const MAX_STREAMS = 16

/** Watch requests of one user that are sent to other daemons in a second. The limit keeps one user from flooding all daemons. */
const MAX_FORWARDED = 20

export interface EventsDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  readonly sessionWatch: SessionWatch
  readonly access: AccessService
  readonly changes: FileChanges
  readonly jobs: JobQueue
  /** The jobs of other daemons. */
  readonly jobBoard: Pick<JobBoard, 'onChange'>
  readonly messages: Messages
  /** Called with the storage path of a folder that someone watches, after a change in it. */
  readonly onWatched: (folder: VirtualPath) => void
  readonly clock: Clock
  readonly random: Random
}

/** The folders to watch, as in the request, percent-decoded once. */
export interface Watched {
  readonly folder?: string | undefined
  readonly beside?: string | undefined
}

/** Numbered events, until it is disposed of or ends by itself. */
export interface EventStream extends Disposable {
  /** Undefined after the last event. */
  next(): Promise<{ readonly id: number; readonly event: ServerEvent } | undefined>
}

interface OpenStream {
  readonly id: string
  readonly session: Session
  readonly queue: EventQueue
  readonly folder: FolderFeed
  readonly beside: FolderFeed
  close(last?: ServerEvent): void
}

/** A message to the daemon that has the stream of a page: the stream is to watch other folders. */
interface WatchRequest extends Watched {
  readonly stream: string
  readonly userId: UserId
}

/** Sends events to the clients that may see them. */
export function createEvents(deps: EventsDeps) {
  const { store, sessions, sessionWatch, access, changes, jobs, jobBoard, messages, onWatched, clock, random } = deps
  const users = new UserIndex(store)
  /** Oldest first. */
  const streams = new Set<OpenStream>()
  const forwarded = new Slots<UserId>(MAX_FORWARDED)
  let lastId = clock.now() * 1000

  const current = ({ session }: OpenStream): EffectiveUser | undefined => users.find(session.userId)

  const notify = (concerns: (user: EffectiveUser) => boolean, event: ServerEvent): void => {
    for (const stream of streams) {
      const user = current(stream)
      if (user !== undefined && concerns(user)) stream.queue.push(event)
    }
  }

  const notifyAll = (notices: readonly Notice[]): void => {
    for (const { event, concerns } of notices) notify(concerns, event)
  }

  const onStore = (now: Readonly<StoreDocument>, before: Readonly<StoreDocument>): void => {
    if (streams.size === 0) return
    notifyAll(noticesOf(now, before, users))
    for (const stream of streams) {
      if (maintenanceRefusal(now.maintenance, current(stream), clock.now()) !== undefined) stream.close()
    }
    for (const { session, folder, beside } of streams) {
      if (!hasAccessChanged(session.userId, now, before, users)) continue
      void folder.refreshAccess()
      void beside.refreshAccess()
    }
  }

  const onSessions = (changes: readonly RecordChange<Session>[]): void => {
    if (streams.size > 0) notifyAll(sessionNoticesOf(changes))
  }

  /** @param paths storage paths */
  const reportChanged = (paths: readonly VirtualPath[]): void => {
    for (const { folder, beside } of streams) {
      for (const path of paths) {
        folder.changedByUs(path)
        beside.changedByUs(path)
      }
    }
  }

  const onFiles = (change: FileChange): void => {
    const paths = servedPathsOf(change)
    for (const path of paths) messages.send('files', sendable(path))
    reportChanged(paths)
  }

  const streamOf = ({ stream, userId }: WatchRequest): OpenStream | undefined =>
    [...streams].find((open) => open.id === stream && open.session.userId === userId)

  const follow = async (stream: OpenStream, watched: Watched): Promise<void> => {
    await followBoth(stream, watched)
    // If the stream has ended meanwhile, nothing else releases the folders.
    if (!streams.has(stream)) stopFollowing(stream)
  }

  const onWatchRequest = async (request: WatchRequest): Promise<void> => {
    const stream = streamOf(request)
    if (stream === undefined) return
    try {
      await follow(stream, request)
      for (const { path } of [stream.folder, stream.beside])
        if (path !== undefined) stream.queue.push({ name: 'folder', data: { path } })
    } catch {
      stream.close()
    }
  }

  const onJob = (job: Job): void => notify((user) => mayReach(user, job), { name: 'job', data: inBrief(job) })

  const makeRoom = (userId: UserId): void => {
    const own = [...streams].filter(({ session }) => session.userId === userId)
    // The oldest is probably a sleeping computer. It is told why, so that a live page does not reconnect at once.
    for (const oldest of own.slice(0, Math.max(0, own.length - MAX_STREAMS + 1)))
      oldest.close({ name: 'session', data: { end: 'replaced' } })
  }

  const unsubscribe = [
    store.onChange(onStore),
    sessions.onChange(onSessions),
    changes.subscribe(onFiles),
    feedJobs(jobs, onJob),
    jobBoard.onChange(onJob),
    messages.subscribe({
      received: (kind, content) => {
        if (kind === 'files') reportChanged([content as VirtualPath])
        if (kind === 'watch') void onWatchRequest(content as WatchRequest)
      },
      gap: () => {
        for (const { queue } of streams) queue.push({ name: 'gap', data: {} })
      },
    }),
  ]

  return {
    /**
     * Opens a stream that ends with the session. If the user has more than 16, closes the oldest.
     *
     * @param isAgain the client reconnects, so it may have missed events
     * @throws FORBIDDEN, NOT_FOUND, CONFLICT if a folder cannot be watched
     */
    async open(actor: Actor, watched: Watched, isAgain = false): Promise<EventStream> {
      requireSignedIn(actor)
      if (actor.kind !== 'user') fail('FORBIDDEN', 'this belongs to users')
      const { session } = actor
      const queue = new EventQueue()
      const feed = (): FolderFeed =>
        new FolderFeed({
          access,
          // Each time anew: a folder that was denied is polled, and does not end the stream.
          actor: () => ({ ...actor, passed: new Set() }),
          notify: (event) => queue.push(event),
          onChanged: onWatched,
        })
      const feeds = { folder: feed(), beside: feed() }
      try {
        await followBoth(feeds, watched)
      } catch (error) {
        stopFollowing(feeds)
        throw error
      }
      const id = random.token(12)
      const stream: OpenStream = {
        id,
        session,
        queue,
        ...feeds,
        close(last) {
          streams.delete(stream)
          stopWatching()
          stopFollowing(feeds)
          queue.end(last)
        },
      }
      const stopWatching = sessionWatch.onEnd(session, (end) => stream.close({ name: 'session', data: { end } }))
      makeRoom(session.userId)
      streams.add(stream)
      const [folder, beside] = [feeds.folder.path, feeds.beside.path]
      queue.push({
        name: 'hello',
        data: { stream: id, ...(folder !== undefined && { folder }), ...(beside !== undefined && { beside }) },
      })
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
     * Makes an open stream watch other folders, or none. Resolves once they are watched. If another daemon has the stream,
     * resolves once that daemon was asked; it reports changes when it watches the folders, and ends the stream if it cannot.
     *
     * @throws NOT_FOUND for a stream of another user; RATE_LIMITED for too many requests to other daemons; as `open`, and the
     *         previous folder then stays watched in place of that one
     */
    async watch(actor: Actor, id: string, { folder, beside }: Watched): Promise<void> {
      requireSignedIn(actor)
      const request: WatchRequest = { stream: id, userId: userIdOf(actor), folder, beside }
      const stream = streamOf(request)
      if (stream !== undefined) {
        await follow(stream, request)
        return
      }
      const slot = forwarded.tryAcquire(request.userId)
      if (slot === undefined) fail('RATE_LIMITED', 'too many changes of folders at once', { retryAfter: 1 })
      setTimeout(() => slot[Symbol.dispose](), 1000).unref()
      const isSent = `${folder ?? ''}${beside ?? ''}`.length <= MAX_SENT && messages.send('watch', request)
      if (!isSent) fail('NOT_FOUND', 'there is no such stream; open it again')
    },

    /** Ends all streams: the server stops. */
    stop(): void {
      for (const stream of streams) stream.close({ name: 'server', data: { state: 'stopping' } })
    },

    [Symbol.dispose]() {
      for (const stop of unsubscribe) stop()
      for (const stream of streams) stream.close()
    },
  }
}

type Feeds = Pick<OpenStream, 'folder' | 'beside'>

async function followBoth(feeds: Feeds, { folder, beside }: Watched): Promise<void> {
  const [first, second] = [folderOf(folder), folderOf(beside)]
  await feeds.folder.follow(first)
  await feeds.beside.follow(second)
}

function stopFollowing({ folder, beside }: Feeds): void {
  folder[Symbol.dispose]()
  beside[Symbol.dispose]()
}

function folderOf(text: string | undefined): VirtualPath | undefined {
  return text === undefined || text === '' ? undefined : parseVirtualPath(text)
}

/** Characters. Each may take six bytes of a message. */
const MAX_SENT = 1000

/** The path, or the nearest folder above it that fits into a message: pages that show that folder then list it again. */
function sendable(path: VirtualPath): VirtualPath {
  return path.length > MAX_SENT ? sendable(parentOf(path)) : path
}

/** About four times a second. */
const PROGRESS = { delay: 0, pause: 250 }

/** Reports each change of state immediately, and progress at a limited rate. @returns a function that unsubscribes */
export function feedJobs(queue: JobQueue, notify: (job: Job) => void): () => void {
  const running = new Map<string, { state: Job['state']; readonly progress: Debounce }>()
  return queue.onChange((job) => {
    const known = running.get(job.id) ?? {
      state: job.state,
      progress: new Debounce(() => notify(structuredClone(job))),
    }
    const isNew = !running.has(job.id) || known.state !== job.state
    known.state = job.state
    running.set(job.id, known)
    if (!isNew) return known.progress.trigger(PROGRESS)
    known.progress[Symbol.dispose]()
    if (isOver(job)) running.delete(job.id)
    notify(structuredClone(job))
  })
}
