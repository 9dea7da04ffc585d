import { childOf, nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { PlannedUpload } from '../plan/conflict-check.ts'
import { readSpeed, STILL, type SpeedMeter } from '../../../lib/speed.ts'
import type { GroupEngine } from '../engine/group-upload.ts'
import type { UploadRequest } from '../engine/simple-upload.ts'
import { topOf } from '../plan/upload-entry.ts'
import {
  adjustTotals,
  FRESH,
  NO_TOTALS,
  type UploadItem,
  type UploadProblem,
  type UploadTask,
  type UploadTotals,
} from './upload-item.ts'

/** Why waiting uploads are not sent. */
export type PauseReason = 'offline' | 'session' | 'maintenance'

export interface UploadSnapshot {
  readonly items: readonly UploadItem[]
  readonly totals: UploadTotals
  readonly speed: SpeedMeter
  readonly pausedBy: PauseReason | null
  /** Grows with every change, except of bytes and speed. */
  readonly version: number
}

interface UploadQueueDeps {
  readonly engine: GroupEngine
  readonly now: () => number
  /** Called after each change; read `snapshot()`. */
  readonly onChange: () => void
  /** Called when no upload is waiting or running. */
  readonly onIdle: (finished: readonly UploadItem[]) => void
  /** Whether an error fails this upload or pauses all. */
  readonly judge: (error: unknown, item: UploadItem) => Promise<UploadProblem | PauseReason>
  /** An upload will not be finished, so the server may discard its partial data. */
  readonly onGivenUp: (item: UploadItem) => void
}

/** Browsers open six connections per server; live updates and the rest of the page need some of them. */
const PARALLEL = 3

/** With fewer waiting uploads, a file is sent alone: its progress is that of its own request. */
const MANY = 20
/** Limits of a group, which is sent with one request; sizes in bytes. Pausing a file sends the others again. */
const GROUP = { files: 100, bytes: 1024 * 1024, fileBytes: 64 * 1024 }

/** How far an earlier page got with an upload. */
interface EarlierProgress {
  readonly sent: number
  readonly paused: boolean
}

interface Run {
  readonly controller: AbortController
  /** The uploads of one request. */
  readonly group: readonly UploadItem[]
}

/** Sends a few uploads at a time, in the order in which they were added. */
export class UploadQueue {
  readonly #deps: UploadQueueDeps
  readonly #items = new Map<number, UploadItem>()
  readonly #running = new Map<number, Run>()
  readonly #pauseReasons = new Set<PauseReason>()
  /** Ids of waiting uploads, in order; may contain ids that no longer wait. */
  readonly #waiting: number[] = []
  #finished: UploadItem[] = []
  #speed = STILL
  #nextId = 1
  #totals: UploadTotals = NO_TOTALS
  #version = 0
  #wasBusy = false

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps
  }

  snapshot(): UploadSnapshot {
    const [pausedBy = null] = this.#pauseReasons
    return {
      items: [...this.#items.values()],
      totals: this.#totals,
      speed: this.#speed,
      pausedBy,
      version: this.#version,
    }
  }

  get busy(): boolean {
    return this.#running.size > 0 || this.#totals.waiting > 0
  }

  /** A new batch removes finished uploads, so that the totals are those of the batch. */
  add(target: VirtualPath, planned: readonly PlannedUpload[]): void {
    if (!this.busy) for (const { id, state } of this.#items.values()) if (state === 'done') this.#forget(id)
    for (const { entry, path, override } of planned) {
      const { file } = entry
      const top = topOf(entry)
      const grouped = file === null || top !== entry.path
      this.#addTask(
        {
          kind: file === null ? 'folder' : 'file',
          target,
          source: entry.path,
          override,
          begun: false,
          path: path.split('/').reduce<VirtualPath>((folder, name) => childOf(folder, name), target),
          group: grouped ? { id: `${target}\n${top}`, name: top } : null,
          size: file?.size ?? 0,
          modified: file?.lastModified ?? 0,
          origin: entry.origin ?? null,
        },
        file,
      )
    }
    this.#startNext()
  }

  /** Adds the tasks of an earlier page. Folders are created; files stay missing until `supplyFile`. */
  restore(tasks: readonly (UploadTask & EarlierProgress)[]): void {
    for (const { sent, paused, ...task } of tasks) this.#addTask(task, null, { sent, paused })
    this.#startNext()
  }

  /**
   * Supplies the file of an upload that lost it, which then resumes.
   *
   * @param byUser the user picked the file, which resumes even a paused upload
   */
  supplyFile(id: number, file: File, byUser: boolean): void {
    const item = this.#items.get(id)
    if (item?.state !== 'missing') return
    if (item.wasPaused && !byUser) this.#put({ ...item, file, state: 'paused' })
    else this.#enqueue({ ...item, file })
    this.#startNext()
  }

  pause(ids: readonly number[]): void {
    for (const item of this.#itemsIn(ids, ['active', 'waiting'])) {
      this.#stop(item.id)
      this.#put({ ...item, state: 'paused', speed: STILL })
    }
    this.#startNext()
  }

  resume(ids: readonly number[]): void {
    for (const item of this.#itemsIn(ids, ['paused'])) this.#enqueue(item)
    this.#startNext()
  }

  retry(ids: readonly number[]): void {
    for (const item of this.#itemsIn(ids, ['failed'])) this.#enqueue({ ...item, sent: item.begun ? item.sent : 0 })
    this.#startNext()
  }

  /** Removes uploads: aborts running ones, and discards partial data on the server. */
  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const item = this.#items.get(id)
      if (item === undefined) continue
      this.#stop(id)
      this.#forget(id)
      if (item.begun && item.state !== 'done') this.#deps.onGivenUp(item)
    }
    this.#startNext()
  }

  /** Removes every upload that has not ended. */
  abortAll(): void {
    const open = [...this.#items.values()].filter(({ state }) => state !== 'done' && state !== 'failed')
    this.remove(open.map(({ id }) => id))
  }

  /** Stops sending until `resumeAll`. Running uploads resume where they stopped. */
  pauseAll(reason: PauseReason): void {
    if (this.#pauseReasons.has(reason)) return
    this.#pauseReasons.add(reason)
    this.#speed = STILL
    this.#version += 1
    const stopped = this.#itemsIn([...this.#running.keys()], ['active'])
    for (const item of stopped) {
      this.#stop(item.id)
      this.#put({ ...item, state: 'waiting', speed: STILL })
    }
    this.#waiting.unshift(...stopped.map(({ id }) => id))
    this.#deps.onChange()
  }

  resumeAll(reason: PauseReason): void {
    if (!this.#pauseReasons.delete(reason)) return
    this.#version += 1
    this.#startNext()
  }

  /** Clears the list once nothing runs, except for what waits for the user. */
  clear(): void {
    if (this.busy) return
    for (const { id, state } of this.#items.values()) if (state === 'done' || state === 'failed') this.remove([id])
    this.#speed = STILL
    this.#deps.onChange()
  }

  #addTask(
    task: UploadTask,
    file: File | null,
    { sent, paused: wasPaused }: EarlierProgress = { sent: 0, paused: false },
  ): void {
    const id = this.#nextId
    this.#nextId += 1
    const item = { ...FRESH, ...task, id, name: nameOf(task.path), file, sent, wasPaused }
    if (task.kind === 'file' && file === null) this.#put({ ...item, state: 'missing' })
    else this.#enqueue(item)
  }

  #itemsIn(ids: readonly number[], states: readonly UploadItem['state'][]): UploadItem[] {
    return ids.flatMap((id) => this.#items.get(id) ?? []).filter(({ state }) => states.includes(state))
  }

  #enqueue(item: UploadItem): void {
    this.#put({ ...item, state: 'waiting', error: null, speed: STILL })
    this.#waiting.push(item.id)
  }

  #stop(id: number): void {
    const run = this.#running.get(id)
    this.#running.delete(id)
    run?.controller.abort()
  }

  #startNext(): void {
    while (this.#pauseReasons.size === 0 && this.#runningRequests() < PARALLEL) {
      const group = this.#nextGroup()
      if (group.length === 0) break
      this.#run(group)
    }
    this.#wasBusy ||= this.busy
    if (!this.busy && this.#wasBusy) this.#becomeIdle()
    this.#deps.onChange()
  }

  #runningRequests(): number {
    return new Set([...this.#running.values()].map(({ group }) => group)).size
  }

  /** Takes the next waiting upload, or the next small ones if many wait. */
  #nextGroup(): UploadItem[] {
    const maxFiles = this.#totals.waiting < MANY ? 1 : GROUP.files
    const group: UploadItem[] = []
    let bytes = 0
    for (let id = this.#waiting[0]; id !== undefined; id = this.#waiting[0]) {
      const item = this.#items.get(id)
      if (item?.state === 'waiting') {
        bytes += item.size
        const [first = item] = group
        const fits = isSmall(first) && isSmall(item) && item.override === first.override && bytes <= GROUP.bytes
        if (group.length > 0 && (group.length >= maxFiles || !fits)) break
        group.push(item)
      }
      this.#waiting.shift()
    }
    return group
  }

  #run(group: readonly UploadItem[]): void {
    const requests = group.map((item) => this.#begin(item, group))
    for (const [index, sent] of this.#deps.engine(requests).entries()) {
      const [item, request] = [group[index], requests[index]]
      if (item !== undefined && request !== undefined) void this.#follow(item, request.signal, sent)
    }
  }

  #begin(item: UploadItem, group: Run['group']): UploadRequest {
    const { id, path, file, override, begun } = item
    const controller = new AbortController()
    const { signal } = controller
    this.#running.set(id, { controller, group })
    this.#put({ ...item, state: 'active' })
    return {
      path,
      file,
      override,
      begun,
      signal,
      onBegun: (now) => this.#change(id, signal, { begun: now }),
      onProgress: (sent) => this.#progress(id, signal, sent),
    }
  }

  async #follow(item: UploadItem, signal: AbortSignal, sent: Promise<void>): Promise<void> {
    const { id } = item
    try {
      await sent
      this.#end(id, signal, { state: 'done', sent: item.size })
    } catch (error) {
      if (signal.aborted) return
      const verdict = await this.#deps.judge(error, item)
      if (typeof verdict === 'object') this.#end(id, signal, { state: 'failed', error: verdict })
      else this.pauseAll(verdict)
    }
  }

  #change(id: number, { aborted }: AbortSignal, change: Partial<UploadItem>): void {
    const item = this.#items.get(id)
    if (!aborted && item !== undefined) this.#put({ ...item, ...change })
  }

  #progress(id: number, { aborted }: AbortSignal, sent: number): void {
    if (!aborted) this.#recordProgress(id, sent)
    this.#deps.onChange()
  }

  #recordProgress(id: number, sent?: number): void {
    const item = this.#items.get(id)
    if (item?.state !== 'active') return
    const now = this.#deps.now()
    const bytes = sent ?? item.sent
    this.#set({ ...item, sent: Math.min(bytes, item.size), speed: readSpeed(item.speed, bytes, now) })
    this.#speed = readSpeed(this.#speed, this.#totals.sentBytes, now)
  }

  #end(id: number, signal: AbortSignal, change: Partial<UploadItem>): void {
    if (signal.aborted) return
    this.#change(id, signal, change)
    this.#running.delete(id)
    const item = this.#items.get(id)
    if (item?.state === 'done') this.#finished.push(item)
    this.#startNext()
  }

  /** Call about once a second: an upload without progress has become slow. */
  readSpeeds(): void {
    for (const id of this.#running.keys()) this.#recordProgress(id)
    if (this.#running.size > 0) this.#deps.onChange()
  }

  #becomeIdle(): void {
    this.#wasBusy = false
    const finished = this.#finished
    this.#finished = []
    this.#speed = STILL
    this.#deps.onIdle(finished)
  }

  #put(item: UploadItem): void {
    this.#version += 1
    this.#set(item)
  }

  #set(item: UploadItem): void {
    this.#totals = adjustTotals(adjustTotals(this.#totals, this.#items.get(item.id), -1), item, 1)
    this.#items.set(item.id, item)
  }

  #forget(id: number): void {
    this.#totals = adjustTotals(this.#totals, this.#items.get(id), -1)
    this.#items.delete(id)
    this.#version += 1
  }
}

/** Small enough for a group, as every folder is. */
function isSmall({ size, begun }: UploadItem): boolean {
  return size <= GROUP.fileBytes && !begun
}
