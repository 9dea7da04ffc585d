import { childOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { PlannedUpload } from './conflict-check.ts'
import { readSpeed, STILL, type SpeedMeter } from './speed.ts'
import type { UploadEngine } from './upload-engine.ts'

export type UploadState = 'waiting' | 'active' | 'done' | 'failed'

export interface UploadItem {
  readonly id: number
  /** The folder that the user uploads into. */
  readonly target: VirtualPath
  readonly path: VirtualPath
  readonly name: string
  readonly file: File | null
  readonly override: boolean
  readonly size: number
  readonly state: UploadState
  readonly sent: number
  readonly error: UploadProblem | null
  readonly speed: SpeedMeter
}

/** Why an upload failed: the status of the answer, 0 without one, and what the server said. */
export interface UploadProblem {
  readonly status: number
  readonly message: string
}

export interface UploadSnapshot {
  readonly items: readonly UploadItem[]
  readonly totals: UploadTotals
  readonly speed: SpeedMeter
}

/** Failed items are not part of the bytes, so that the bar cannot claim 100 % for them. */
export interface UploadTotals {
  readonly waiting: number
  readonly active: number
  readonly done: number
  readonly failed: number
  readonly sentBytes: number
  readonly totalBytes: number
}

export interface UploadQueueDeps {
  readonly engine: UploadEngine
  readonly now: () => number
  /** Told after each change; reads `snapshot()`. */
  readonly onChange: () => void
  /** Nothing waits and nothing runs any more. */
  readonly onIdle: (finished: readonly UploadItem[]) => void
  readonly describe: (error: unknown) => UploadProblem | null
}

const PARALLEL = 5

/** Five uploads at a time, in the order in which they were added. Owns the requests that are under way. */
export class UploadQueue {
  readonly #deps: UploadQueueDeps
  readonly #items = new Map<number, UploadItem>()
  readonly #running = new Map<number, AbortController>()
  /** Ids that wait, first come first served. */
  #waiting: number[] = []
  #finished: UploadItem[] = []
  #speed = STILL
  #nextId = 1
  #totals: UploadTotals = NO_TOTALS

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps
  }

  snapshot(): UploadSnapshot {
    return { items: [...this.#items.values()], totals: this.#totals, speed: this.#speed }
  }

  get busy(): boolean {
    return this.#running.size > 0 || this.#waiting.length > 0
  }

  /** What has arrived before leaves the list when a new round begins, so that the totals are those of this round. */
  add(target: VirtualPath, planned: readonly PlannedUpload[]): void {
    if (!this.busy) for (const { id, state } of this.#items.values()) if (state === 'done') this.#forget(id)
    for (const { entry, path, override } of planned) {
      const id = this.#nextId
      this.#nextId += 1
      const place = path.split('/').reduce<VirtualPath>((folder, name) => childOf(folder, name), target)
      const size = entry.file?.size ?? 0
      const name = path.slice(path.lastIndexOf('/') + 1)
      this.#put({ ...FRESH, id, target, path: place, name, file: entry.file, override, size })
      this.#waiting.push(id)
    }
    this.#fill()
  }

  /** Takes one out: a running one is aborted, a failed or finished one leaves the list. */
  remove(id: number): void {
    this.#waiting = this.#waiting.filter((each) => each !== id)
    this.#running.get(id)?.abort()
    this.#forget(id)
    this.#fill()
  }

  /** Takes out everything that has not ended. */
  abortAll(): void {
    for (const id of [...this.#waiting, ...this.#running.keys()]) this.#forget(id)
    this.#waiting = []
    for (const controller of this.#running.values()) controller.abort()
    this.#deps.onChange()
  }

  retry(ids: readonly number[]): void {
    for (const id of ids) {
      const item = this.#items.get(id)
      if (item?.state !== 'failed') continue
      this.#put({ ...item, state: 'waiting', sent: 0, error: null, speed: STILL })
      this.#waiting.push(id)
    }
    this.#fill()
  }

  /** Empties the list once nothing runs. */
  clear(): void {
    if (this.busy) return
    this.#items.clear()
    this.#totals = NO_TOTALS
    this.#speed = STILL
    this.#deps.onChange()
  }

  #fill(): void {
    while (this.#running.size < PARALLEL) {
      const id = this.#waiting.shift()
      if (id === undefined) break
      const item = this.#items.get(id)
      if (item !== undefined) void this.#run(item)
    }
    this.#deps.onChange()
  }

  async #run(item: UploadItem): Promise<void> {
    const controller = new AbortController()
    this.#running.set(item.id, controller)
    this.#put({ ...item, state: 'active' })
    try {
      await this.#deps.engine({
        path: item.path,
        file: item.file,
        override: item.override,
        signal: controller.signal,
        onProgress: (sent) => this.#progress(item.id, sent),
      })
      this.#settle(item.id, { state: 'done', sent: item.size })
    } catch (error) {
      // An aborted one has left the list already.
      if (!controller.signal.aborted) this.#settle(item.id, { state: 'failed', error: this.#deps.describe(error) })
    } finally {
      this.#running.delete(item.id)
      this.#fill()
      if (!this.busy) this.#rest()
    }
  }

  #progress(id: number, sent: number): void {
    const item = this.#items.get(id)
    if (item?.state !== 'active') return
    const now = this.#deps.now()
    this.#put({ ...item, sent: Math.min(sent, item.size), speed: readSpeed(item.speed, sent, now) })
    this.#speed = readSpeed(this.#speed, this.#totals.sentBytes, now)
    this.#deps.onChange()
  }

  #settle(id: number, change: Partial<UploadItem>): void {
    const item = this.#items.get(id)
    if (item === undefined) return
    const settled = { ...item, ...change }
    this.#put(settled)
    if (settled.state === 'done') this.#finished.push(settled)
  }

  #rest(): void {
    const finished = this.#finished
    this.#finished = []
    this.#speed = STILL
    this.#deps.onIdle(finished)
  }

  #put(item: UploadItem): void {
    this.#totals = adjust(adjust(this.#totals, this.#items.get(item.id), -1), item, 1)
    this.#items.set(item.id, item)
  }

  #forget(id: number): void {
    const item = this.#items.get(id)
    if (item === undefined) return
    this.#totals = adjust(this.#totals, item, -1)
    this.#items.delete(id)
  }
}

const FRESH = { state: 'waiting', sent: 0, error: null, speed: STILL } as const

const NO_TOTALS: UploadTotals = { waiting: 0, active: 0, done: 0, failed: 0, sentBytes: 0, totalBytes: 0 }

function adjust(totals: UploadTotals, item: UploadItem | undefined, by: 1 | -1): UploadTotals {
  if (item === undefined) return totals
  const counted = item.state === 'failed' ? 0 : by
  return {
    ...totals,
    [item.state]: totals[item.state] + by,
    sentBytes: totals.sentBytes + item.sent * counted,
    totalBytes: totals.totalBytes + item.size * counted,
  }
}
