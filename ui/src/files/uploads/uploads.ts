import type { QueryClient } from '@tanstack/react-query'
import { getResource } from '../../../../src/api/files/files.ts'
import { discardUpload } from '../../../../src/api/uploads/uploads.ts'
import { ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../api/client.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import type { AddedEntries } from '../actions/model.ts'
import { LISTINGS } from '../queries/listing-query.ts'
import { type UploadEntry, entriesOfFiles, pickFiles, takeDropped, topOf, walkDropped } from './plan/upload-entry.ts'
import { judgeFailure, watchConnection } from './queue/connection.ts'
import { findMissing } from './memory/find-missing.ts'
import { type AskConflicts, planNewUploads } from './plan/plan-new-uploads.ts'
import type { GroupEngine } from './engine/group-upload.ts'
import { openCount, type UploadItem } from './queue/upload-item.ts'
import { UploadQueue, type UploadSnapshot } from './queue/upload-queue.ts'

/** Milliseconds between two updates of the progress. */
const NOTIFY_INTERVAL = 200
/** Milliseconds between two readings of the speed while no bytes are sent. */
const SPEED_INTERVAL = 1000
/** Milliseconds that signing out waits for the server to discard partial uploads. */
const DISCARD_TIMEOUT = 3000

interface UploadsDeps {
  readonly client: Client
  readonly queries: QueryClient
  readonly engine: GroupEngine
  readonly isSignedIn: () => boolean
  readonly isReachable: () => Promise<boolean>
  readonly askConflicts: AskConflicts
  /** An upload could not even start. */
  onProblem(error: unknown): void
  /** None of the picked files belongs to a missing upload. */
  onOtherFiles(): void
  /** All uploads of a round have ended. */
  onFinished(snapshot: UploadSnapshot): void
}

export interface Uploads {
  readonly state: Store<UploadSnapshot>
  /** The number of running conflict checks: the button spins meanwhile. */
  readonly checking: Store<number>
  /** The latest uploaded entries, for the list to show. */
  readonly addedEntries: Store<AddedEntries | null>
  readonly queue: UploadQueue
  /** Opens the browser's file dialog. */
  pick(kind: 'files' | 'folder', target: VirtualPath): void
  /** Uploads dropped or pasted items. Call it in the event handler: the browser empties the transfer afterwards. */
  addTransfer(transfer: DataTransfer, target: VirtualPath): void
  /** Retries failed uploads. Asks again about names that are taken. */
  retry(ids: readonly number[]): void
  /** Lets the user pick the files of missing uploads. */
  pickMissing(ids: readonly number[]): void
  busy(): boolean
  /** Some uploads have neither finished nor failed. */
  isOpen(): boolean
  abortAll(): void
  /** Cancels everything before signing out. Resolves once the server has discarded partial uploads. */
  end(): Promise<void>
  /** Watches network and server. Returns a function that stops and leaves the queue for another page to resume. */
  start(): () => void
}

/** Everything from choosing files to the queue. Lives as long as the user is signed in. */
export function createUploads(deps: UploadsDeps): Uploads {
  const { client, queries, engine, isSignedIn, isReachable } = deps
  const addedEntries = createStore<AddedEntries | null>(null)
  const checking = createStore(0)
  const givenUp = new Set<Promise<unknown>>()
  let round = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const notify = (): void => {
    clearTimeout(timer)
    timer = undefined
    state.set(queue.snapshot())
  }
  /** If the server refuses the call, the page shows its maintenance notice. If the call succeeds, maintenance has ended. */
  const probeMaintenance = (): void => {
    void client.call(getResource, { params: { '*': '/' } }).then(
      () => queue.resumeAll('maintenance'),
      () => undefined,
    )
  }
  const queue = new UploadQueue({
    engine,
    now: () => performance.now(),
    onChange: () => {
      timer ??= setTimeout(notify, NOTIFY_INTERVAL)
    },
    onIdle: (finished) => {
      notify()
      if (round.signal.aborted) return
      void showFinished(finished)
      deps.onFinished(state.get())
    },
    judge: async (error, item) => {
      const verdict = await judgeFailure(error, item, { isSignedIn, isReachable })
      if (verdict === 'maintenance') probeMaintenance()
      return verdict
    },
    onGivenUp: ({ path }) => {
      const signal = AbortSignal.timeout(DISCARD_TIMEOUT)
      // Otherwise the server discards the partial upload after a day.
      const discarded = client.call(discardUpload, { params: { '*': path }, signal }).catch(() => undefined)
      givenUp.add(discarded)
      void discarded.then(() => givenUp.delete(discarded))
    },
  })
  const state = createStore<UploadSnapshot>(queue.snapshot())

  async function showFinished(finished: readonly UploadItem[]): Promise<void> {
    if (finished.length === 0) return
    await queries.invalidateQueries({ queryKey: LISTINGS })
    void queries.invalidateQueries({ queryKey: ['usage'] })
    const target = finished.at(-1)?.target
    if (target === undefined) return
    const here = finished.filter((item) => item.target === target).map((item) => topBelow(target, item.path))
    addedEntries.set({ folder: target, names: [...new Set(here)] })
  }

  async function begin(
    find: (signal: AbortSignal) => Promise<readonly UploadEntry[]>,
    target: VirtualPath,
    onPlanned: () => void = () => undefined,
  ): Promise<void> {
    const { signal } = round
    checking.set((count) => count + 1)
    try {
      const entries = await find(signal)
      const planned = await planNewUploads(entries, target, { client, queue, askConflicts: deps.askConflicts })
      if (planned === undefined || signal.aborted) return
      onPlanned()
      // Wait until the server has discarded the old part of the same path.
      await Promise.all(givenUp)
      queue.add(target, planned)
      notify()
    } catch (error) {
      if (!signal.aborted) deps.onProblem(error)
    } finally {
      checking.set((count) => count - 1)
    }
  }

  function retry(ids: readonly number[]): void {
    const failed = queue.snapshot().items.filter(({ id, state: now }) => now === 'failed' && ids.includes(id))
    const conflicts = Map.groupBy(failed.filter(isConflict), ({ target }) => target)
    queue.retry(failed.filter((item) => !isConflict(item)).map(({ id }) => id))
    for (const [target, items] of conflicts) {
      const entries = items.map(({ path, file, origin }) => ({
        path: below(target, path),
        file,
        origin: origin ?? undefined,
      }))
      void begin(
        async () => entries,
        target,
        () => queue.remove(items.map(({ id }) => id)),
      )
    }
  }

  async function pickMissing(ids: readonly number[]): Promise<void> {
    const missing = queue.snapshot().items.filter(({ id, state: now }) => now === 'missing' && ids.includes(id))
    if (!(await findMissing(queue, missing))) deps.onOtherFiles()
    notify()
  }

  return {
    state,
    checking,
    addedEntries,
    queue,
    pick(kind, target) {
      const picked = pickFiles(kind)
      void begin(async () => entriesOfFiles(await picked), target)
    },
    addTransfer(transfer, target) {
      const dropped = takeDropped(transfer)
      void begin(async (signal) => await walkDropped(dropped, signal), target)
    },
    retry,
    pickMissing: (ids) => void pickMissing(ids).catch(deps.onProblem),
    busy: () => queue.busy,
    isOpen: () => openCount(queue.snapshot().totals) > 0,
    abortAll() {
      queue.abortAll()
      // At once, so that leaving the page asks no further question.
      notify()
    },
    async end() {
      round.abort()
      queue.abortAll()
      queue.clear()
      notify()
      await Promise.all(givenUp)
    },
    start() {
      round = new AbortController()
      queue.resumeAll('session')
      const stopWatching = watchConnection({ queue, state, isReachable })
      const reading = setInterval(() => queue.readSpeeds(), SPEED_INTERVAL)
      return () => {
        clearInterval(reading)
        round.abort()
        queue.pauseAll('session')
        stopWatching()
      }
    },
  }
}

/** The entry in the target folder that contains a finished upload. */
function topBelow(target: VirtualPath, path: VirtualPath): string {
  return topOf({ path: below(target, path), file: null })
}

function below(target: VirtualPath, path: VirtualPath): string {
  return path.slice(target === ROOT ? 1 : target.length + 1)
}

/** The name has been taken since the conflict check. */
function isConflict({ error, file }: UploadItem): boolean {
  return error?.status === 409 && file !== null
}
