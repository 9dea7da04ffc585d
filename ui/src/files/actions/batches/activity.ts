import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import type { Problem } from '../../../common/problem-text.ts'

export type BatchKind = 'copy' | 'move' | 'trash' | 'delete' | 'restore' | 'extract' | 'compress'

export interface FailedItem {
  readonly path: VirtualPath
  readonly problem: Problem
}

/** One operation on several items, started by the user at once. */
export interface Batch {
  readonly id: number
  readonly kind: BatchKind
  /** The name of the first item. */
  readonly name: string
  readonly count: number
  /** The target folder. */
  readonly folder: VirtualPath | undefined
  readonly state: 'running' | 'done' | 'cancelled'
  /** Requests that have been answered. */
  readonly answered: number
  readonly done: number
  readonly failed: readonly FailedItem[]
  /** Ids of the server's jobs. */
  readonly jobs: readonly string[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number | undefined
  /** A toast has said how it ended. */
  readonly isReported?: boolean
}

interface BatchControls {
  cancel(): void
  /** Tries the failed items again. */
  retry?: (() => void) | undefined
}

/** The running and finished operations of this page. */
export interface Activity {
  readonly batches: Store<readonly Batch[]>
  /** The panel is open. */
  readonly open: Store<boolean>
  /** Jobs that ended before this moment are not shown; milliseconds since 1970. */
  readonly clearedAt: Store<number>
  add(facts: Pick<Batch, 'kind' | 'name' | 'count' | 'folder'>, controls: BatchControls): number
  change(id: number, change: Partial<Batch>): void
  /** Shows neither the batch nor its jobs, because a toast reports how it ended. */
  drop(id: number): void
  controls(id: number): BatchControls | undefined
  clearEnded(): void
}

/** Whether requests of this page are still unanswered. Jobs that they have started go on without it. */
export function isSending(batches: readonly Batch[]): boolean {
  return batches.some(({ state, answered, count }) => state === 'running' && answered < count)
}

export function createActivity(now: () => number = Date.now): Activity {
  const batches = createStore<readonly Batch[]>([])
  const clearedAt = createStore(now())
  const controls = new Map<number, BatchControls>()
  let lastId = 0
  const keep = (wanted: (batch: Batch) => boolean): void => {
    for (const batch of batches.get()) if (!wanted(batch)) controls.delete(batch.id)
    batches.set((all) => all.filter(wanted))
  }
  const change = (id: number, facts: Partial<Batch>): void =>
    batches.set((all) => all.map((batch) => (batch.id === id ? { ...batch, ...facts } : batch)))
  return {
    batches,
    open: createStore(false),
    clearedAt,
    add(facts, own) {
      const id = ++lastId
      controls.set(id, own)
      const fresh = { state: 'running', answered: 0, done: 0, failed: [], jobs: [] } as const
      batches.set((all) => [{ id, ...facts, ...fresh, startedAt: now(), endedAt: undefined }, ...all])
      return id
    },
    change,
    drop: (id) => change(id, { isReported: true }),
    controls: (id) => controls.get(id),
    clearEnded() {
      clearedAt.set(now())
      keep(({ state }) => state === 'running')
    },
  }
}
