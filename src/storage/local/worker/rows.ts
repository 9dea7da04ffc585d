import { partsOfTime } from '../../../domain/files/file-time.ts'
import { RESOURCE_TYPES, type ResourceType } from '../../../domain/files/resource-type.ts'

export interface Row {
  /** Go's mode bits. */
  readonly mode: number
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  readonly isDir: boolean
  readonly isSymlink: boolean
  readonly type: ResourceType
}

const SHOWN = 0x40
const FOLDER = 0x20
const LINK = 0x10
const TYPE = 0x0f

const BLOCK = 256
/** Indexes in the shared state before the columns: next block, number of finished blocks, 1 if a worker has failed. */
const NEXT = 0
const FINISHED = 1
const FAILED = 2
const CONTROL_BYTES = 16
const ROW_BYTES = 8 + 8 + 4 + 4 + 1

/** Milliseconds between checks of a helper's progress. */
const NAP = 50

/** The columns of a listing in shared memory. Two workers each take the next block of rows, until all are filled. */
export class Rows {
  readonly buffer: SharedArrayBuffer
  readonly count: number
  readonly #control: Int32Array
  /** Seconds and nanoseconds apart: together, they fit into 64 bits only until the year 2262. */
  readonly #seconds: Float64Array
  readonly #nanos: Uint32Array
  readonly #size: Float64Array
  readonly #mode: Uint32Array
  readonly #flags: Uint8Array

  constructor(count: number, buffer = new SharedArrayBuffer(CONTROL_BYTES + count * ROW_BYTES)) {
    this.count = count
    this.buffer = buffer
    this.#control = new Int32Array(buffer, 0, CONTROL_BYTES / 4)
    this.#seconds = new Float64Array(buffer, CONTROL_BYTES, count)
    this.#size = new Float64Array(buffer, CONTROL_BYTES + count * 8, count)
    this.#mode = new Uint32Array(buffer, CONTROL_BYTES + count * 16, count)
    this.#nanos = new Uint32Array(buffer, CONTROL_BYTES + count * 20, count)
    this.#flags = new Uint8Array(buffer, CONTROL_BYTES + count * 24, count)
  }

  /** Fills blocks that no worker has taken yet, one per step. */
  *fill(read: (index: number) => Row | undefined): Generator<undefined, void, void> {
    for (;;) {
      const first = Atomics.add(this.#control, NEXT, 1) * BLOCK
      if (first >= this.count) return
      try {
        const end = Math.min(first + BLOCK, this.count)
        for (let index = first; index < end; index += 1) this.#set(index, read(index))
      } catch (error) {
        Rows.markFailed(this.buffer)
        throw error
      }
      Atomics.add(this.#control, FINISHED, 1)
      Atomics.notify(this.#control, FINISHED)
      yield
    }
  }

  /** Waits for the blocks that a helper has taken. That takes milliseconds, because it never pauses within a block. */
  waitForHelper(): void {
    const blocks = Math.ceil(this.count / BLOCK)
    for (;;) {
      if (Atomics.load(this.#control, FAILED) !== 0) throw new Error('the other worker of this listing failed')
      const finished = Atomics.load(this.#control, FINISHED)
      if (finished >= blocks) return
      Atomics.wait(this.#control, FINISHED, finished, NAP)
    }
  }

  /** Called by the thread that notices the failure of a helper. */
  static markFailed(buffer: SharedArrayBuffer): void {
    const control = new Int32Array(buffer, 0, CONTROL_BYTES / 4)
    Atomics.store(control, FAILED, 1)
    Atomics.notify(control, FINISHED)
  }

  isShown(index: number): boolean {
    return (this.#flag(index) & SHOWN) !== 0
  }

  isDir(index: number): boolean {
    return (this.#flag(index) & FOLDER) !== 0
  }

  isSymlink(index: number): boolean {
    return (this.#flag(index) & LINK) !== 0
  }

  type(index: number): ResourceType {
    return RESOURCE_TYPES[this.#flag(index) & TYPE] ?? ''
  }

  size(index: number): number {
    return this.#size[index] ?? 0
  }

  mode(index: number): number {
    return this.#mode[index] ?? 0
  }

  /** Of the modification time. */
  seconds(index: number): number {
    return this.#seconds[index] ?? 0
  }

  /** Of the modification time, after its seconds. */
  nanos(index: number): number {
    return this.#nanos[index] ?? 0
  }

  #flag(index: number): number {
    return this.#flags[index] ?? 0
  }

  #set(index: number, row: Row | undefined): void {
    if (row === undefined) return
    const { seconds, nanos } = partsOfTime(row.modified)
    this.#seconds[index] = seconds
    this.#nanos[index] = nanos
    this.#size[index] = row.size
    this.#mode[index] = row.mode
    this.#flags[index] =
      SHOWN | (row.isDir ? FOLDER : 0) | (row.isSymlink ? LINK : 0) | RESOURCE_TYPES.indexOf(row.type)
  }
}
