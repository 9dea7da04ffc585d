import { createHash } from 'node:crypto'
import { type Actor, userIdOf } from '../../../domain/accounts/actor.ts'
import { servedFolderOf } from '../../../domain/server/root.ts'
import { isFilemgrError } from '../../../domain/errors.ts'
import type { FolderSize, FolderSizes, NotableFiles } from '../../../domain/files/resource.ts'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { isOver, type Job } from '../../../domain/automation/job.ts'
import type { JobRequestOf } from '../../../domain/automation/job-record.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { JobQueue, StartedJob } from '../../../platform/limits/job-queue.ts'
import type { Messages } from '../../../store/store.ts'
import type { Work } from '../../../storage/storage.ts'
import type { AccessService } from '../../access/access.ts'
import { type FileAccess, shownIn } from '../../access/file-access.ts'
import type { RecordedWork, StartJob } from '../../automation/jobs/start-job.ts'
import { type FileChange, type FileChanges, servedPathsOf } from '../../access/file-changes.ts'
import { SizeCache } from './size-cache.ts'
import { MEMORY_PLAN } from '../../../platform/limits/memory-plan.ts'
import { notableOfAll } from './notable-files.ts'
import { SizeReader } from './size-reader.ts'

/** Milliseconds of counting before it becomes a job. */
const AT_ONCE = 200
/** Waiting jobs of one user. Further ones replace the oldest, since the user has long left its folder. */
const MAX_WAITING = 8

interface Counted {
  readonly path: VirtualPath
  readonly notable: boolean
}

interface SizesQuery {
  readonly measure: boolean
  readonly notable?: boolean
}

export interface FolderSizesDeps {
  readonly access: Pick<AccessService, 'at' | 'places'>
  readonly changes: Pick<FileChanges, 'subscribe'>
  /** Report changes made through other daemons. */
  readonly messages: Pick<Messages, 'subscribe'>
  readonly jobs: Pick<JobQueue, 'list' | 'cancel'>
  readonly startJob: StartJob
  readonly clock: Clock
}

/** The sizes of the folders in a folder, counted by jobs and remembered until something changes. */
export function createFolderSizes({ access, changes, messages, jobs, startJob, clock }: FolderSizesDeps) {
  // 48 MiB are enough for about a hundred thousand folders.
  const cache = new SizeCache(MEMORY_PLAN.cache)

  const readerOf = (files: FileAccess): SizeReader =>
    new SizeReader({ files, view: viewOf(files), cache, now: () => clock.now() })

  const onChange = (change: FileChange): void => {
    for (const path of servedPathsOf(change)) cache.forget(path)
  }

  const count = async (reader: SizeReader, { path, notable }: Counted, work: Work): Promise<void> => {
    await cache.reading(async () => {
      if (notable && !reader.isNotableFresh(path)) await reader.readNotable(path, work)
      else await reader.total(path, work)
    })
  }

  const isCountedAtOnce = async (reader: SizeReader, counted: Counted): Promise<boolean> => {
    try {
      await count(reader, counted, { signal: AbortSignal.timeout(AT_ONCE) })
      return true
    } catch (error) {
      if (!isFilemgrError(error, 'CANCELLED')) throw error
      return false
    }
  }

  /** By user and path: requests for one folder share a job. */
  const starting = new Map<string, Promise<StartedJob>>()

  /** The work of a job. */
  const measuring =
    ({ path, notable }: JobRequestOf<'measure'>): RecordedWork =>
    async (own, control) => {
      own.requireAllowed(path)
      own.keepRulesOf(path)
      await count(readerOf(own), { path, notable: notable === true }, control)
      return {}
    }

  const start = async (actor: Actor, files: FileAccess, { path, notable }: Counted): Promise<Job> => {
    const userID = userIdOf(actor)
    const unfinished = jobs.list(userID).filter((job) => job.kind === 'measure' && !isOver(job))
    const shown = files.shown(path)
    const same = unfinished.find((job) => job.path === shown)
    if (same !== undefined) return same
    const waiting = unfinished.filter(({ state }) => state === 'waiting')
    for (const { id } of waiting.slice(MAX_WAITING - 1)) jobs.cancel(id)
    const request = { kind: 'measure', path, ...(notable && { notable }) } as const
    const key = `${userID} ${notable} ${shown}`
    const started = starting.get(key) ?? startJob.start(actor, files, request, measuring(request))
    starting.set(key, started)
    try {
      return (await started).job
    } finally {
      starting.delete(key)
    }
  }

  const unsubscribe = [
    changes.subscribe(onChange),
    messages.subscribe({
      received: (kind, content) => {
        if (kind === 'files') cache.forget(content as VirtualPath)
      },
      gap: () => cache.clear(),
    }),
  ]

  /** Of a folder in one place. */
  const ofFolder = async (actor: Actor, files: FileAccess, { measure, notable = false }: SizesQuery) => {
    const { path } = files
    files.requireAllowed(path)
    files.keepRulesOf(path)
    const reader = readerOf(files)
    const known = (job?: Job): FolderSizes & { readonly whole?: FolderSize | undefined } => {
      const found = notable ? reader.notable(path) : undefined
      const lists = found && {
        ...found,
        largest: [...shownIn(files, found.largest)],
        oldest: [...shownIn(files, found.oldest)],
      }
      const sizes = knownIn(reader, path)
      return { sizes, ...(lists && { notable: lists }), ...(job && { job }), whole: reader.known(path)?.total }
    }
    const shown = files.shown(path)
    const last = jobs.list(userIdOf(actor)).find((job) => job.kind === 'measure' && job.path === shown)
    if (last !== undefined && !isOver(last)) return known(last)
    const { changed, expires } = await cache.reading(async () => await reader.own(path))
    const isFresh = changed === 'no' && expires > clock.now() && (!notable || reader.isNotableFresh(path))
    if (isFresh) return known()
    if (measure) {
      const counted = { path, notable }
      return known((await isCountedAtOnce(reader, counted)) ? undefined : await start(actor, files, counted))
    }
    return known(last !== undefined && last.state !== 'done' ? last : undefined)
  }

  /** The sizes of the places that "/" lists, as far as they can be reached. */
  const ofPlaces = async (actor: Actor, query: SizesQuery): Promise<FolderSizes> => {
    const sizes: FolderSizes['sizes'] = []
    const lists: NotableFiles[] = []
    let counting: Job | undefined
    for (const { place, open } of access.places(actor)) {
      try {
        using files = await open()
        const { whole, notable, job } = await ofFolder(actor, files, query)
        if (whole !== undefined) sizes.push({ name: place.name, ...whole })
        if (notable !== undefined) lists.push(notable)
        counting ??= job
      } catch (error) {
        if (!isFilemgrError(error, 'UNAVAILABLE', 'BUSY', 'NOT_FOUND', 'FORBIDDEN')) throw error
      }
    }
    const notable = lists.length === sizes.length ? notableOfAll(lists) : undefined
    return { sizes, ...(notable && { notable }), ...(counting && { job: counting }) }
  }

  return {
    measuring,

    /**
     * The known sizes. Outdated ones are included until they are counted again.
     *
     * @param measure counts what is missing or has changed; by a job, if that takes long
     * @param notable includes the largest and the oldest files
     * @throws NOT_FOUND, FORBIDDEN, INVALID_INPUT if it is not a folder; BUSY
     */
    async of(actor: Actor, text: string, query: SizesQuery): Promise<FolderSizes> {
      using files = await access.at(actor, text)
      if (files.place.all === true) {
        files.requireAllowed(files.path)
        return await ofPlaces(actor, query)
      }
      const { whole: _, ...sizes } = await ofFolder(actor, files, query)
      return sizes
    },

    /** Something changed directly in a folder. @param folder a storage path */
    touch: (folder: VirtualPath) => cache.touch(folder),

    [Symbol.dispose]() {
      for (const stop of unsubscribe) stop()
    },
  }
}

export type FolderSizesService = ReturnType<typeof createFolderSizes>

function knownIn(reader: SizeReader, path: VirtualPath): FolderSizes['sizes'] {
  return (reader.known(path)?.folders ?? []).flatMap((name) => {
    const total = reader.known(below(path, `/${name}` as VirtualPath))?.total
    return total === undefined ? [] : [{ name, ...total }]
  })
}

/** Only users with the same scope and rules share cached sizes, because a size could reveal hidden files. */
function viewOf(files: FileAccess): string {
  const { hideDotfiles } = files.view('/')
  return createHash('sha256')
    .update(JSON.stringify([servedFolderOf(files.user), files.judge.rules, hideDotfiles]))
    .digest('base64url')
}
