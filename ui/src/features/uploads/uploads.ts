import type { QueryClient } from '@tanstack/react-query'
import { ROOT, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Client } from '../../api/client.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import { planUploads, findConflicts, type Choice, type Conflict } from './conflict-check.ts'
import { type Dropped, walkDropped } from './dropped-entries.ts'
import { findExisting } from './existing-files.ts'
import { pickFiles } from './pick-files.ts'
import { entriesOfFiles, topOf, withFolders, type UploadEntry } from './upload-entry.ts'
import type { UploadEngine } from './upload-engine.ts'
import { UploadQueue, type UploadItem, type UploadSnapshot } from './upload-queue.ts'

/** How often the page is told about bytes that have left. */
const TELL_EVERY = 200

export interface UploadsDeps {
  readonly client: Client
  readonly queries: QueryClient
  readonly engine: UploadEngine
  /** Asks what to do; undefined drops the whole upload. */
  askConflicts(conflicts: readonly Conflict[], all: number, target: VirtualPath): Promise<ChoiceOf | undefined>
  /** An upload that could not even begin. */
  onProblem(error: unknown): void
  /** For a message about what has ended. */
  onFinished(snapshot: UploadSnapshot): void
}

export type ChoiceOf = (conflict: Conflict) => Choice

export interface Arrived {
  readonly folder: VirtualPath
  readonly names: readonly string[]
}

export interface Uploads {
  readonly state: Store<UploadSnapshot>
  /** Counts the conflict checks under way: the button spins meanwhile. */
  readonly checking: Store<number>
  readonly lastArrival: Store<Arrived | null>
  pick(kind: 'files' | 'folder', target: VirtualPath): void
  receive(dropped: Dropped, target: VirtualPath): void
  busy(): boolean
  remove(id: number): void
  abortAll(): void
  /** Stops for good, as the session does: nothing is sent or said any more. True when uploads were lost by it. */
  end(): boolean
  retry(ids: readonly number[]): void
  clear(): void
}

/** Everything between "these files, please" and the queue. Lives as long as the page, whatever screen is shown. */
export function createUploads(deps: UploadsDeps): Uploads {
  const { client, queries, engine } = deps
  const lastArrival = createStore<Arrived | null>(null)
  const checking = createStore(0)
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (): void => {
    clearTimeout(timer)
    timer = undefined
    state.set(queue.snapshot())
  }
  const queue = new UploadQueue({
    engine,
    now: () => performance.now(),
    onChange: () => {
      timer ??= setTimeout(tell, TELL_EVERY)
    },
    onIdle: (finished) => {
      tell()
      if (ended.signal.aborted) return
      void arrive(finished)
      deps.onFinished(queue.snapshot())
    },
    describe: problemOf,
  })
  const state = createStore<UploadSnapshot>(queue.snapshot())

  async function arrive(finished: readonly UploadItem[]): Promise<void> {
    if (finished.length === 0) return
    await queries.invalidateQueries({ queryKey: ['listing'] })
    void queries.invalidateQueries({ queryKey: ['usage'] })
    const target = finished.at(-1)?.target
    if (target === undefined) return
    const here = finished.filter((item) => item.target === target).map((item) => topBelow(target, item.path))
    lastArrival.set({ folder: target, names: [...new Set(here)] })
  }

  async function begin(found: Promise<readonly UploadEntry[]>, target: VirtualPath): Promise<void> {
    checking.set((count) => count + 1)
    try {
      const entries = withFolders(await found)
      if (entries.length === 0) return
      const existing = await findExisting(client, target, entries)
      const conflicts = findConflicts(entries, existing)
      const choose = conflicts.length === 0 ? () => 'keepBoth' as const : await ask(conflicts, entries, target)
      if (choose === undefined || ended.signal.aborted) return
      queue.add(target, planUploads(entries, existing, choose))
      tell()
    } catch (error) {
      if (!ended.signal.aborted) deps.onProblem(error)
    } finally {
      checking.set((count) => count - 1)
    }
  }

  function abortAll(): void {
    queue.abortAll()
    // At once: whatever asks before the page is left must not ask any more.
    tell()
  }

  const ask = (conflicts: readonly Conflict[], entries: readonly UploadEntry[], target: VirtualPath) =>
    deps.askConflicts(conflicts, entries.filter((entry) => entry.file !== null).length, target)

  return {
    state,
    checking,
    lastArrival,
    pick: (kind, target) => void begin(pickFiles(kind).then(entriesOfFiles), target),
    receive: (dropped, target) => void begin(walkDropped(dropped, ended.signal), target),
    busy: () => queue.busy,
    remove: (id) => queue.remove(id),
    abortAll,
    end() {
      const lost = queue.busy
      ended.abort()
      abortAll()
      return lost
    },
    retry: (ids) => queue.retry(ids),
    clear: () => queue.clear(),
  }
}

/** The entry of the target that a finished upload belongs to. */
function topBelow(target: VirtualPath, path: VirtualPath): string {
  return topOf({ path: path.slice(target === ROOT ? 1 : target.length + 1), file: null })
}

function problemOf(error: unknown): UploadItem['error'] {
  if (error instanceof ApiError) return { status: error.status, message: error.message }
  return { status: 500, message: String(error) }
}
