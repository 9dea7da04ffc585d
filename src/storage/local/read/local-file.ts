import { type BigIntStats, constants } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { nameOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { DiskWait } from '../../../platform/limits/disk-wait.ts'
import type { OpenFile } from '../../open-file.ts'
import type { SharedOpen } from '../scope/kept-open.ts'
import { reachableSegments } from '../../reserved-names.ts'
import { holdEntry } from '../scope/resolve.ts'
import type { Permit } from '../../../platform/limits/budget.ts'
import { expectedRealPath, requirePermittedAt, type ScopeRoot } from '../scope/scope-root.ts'
import { statsOfKept } from '../system/direct-calls.ts'
import { close, read, readFew } from '../system/gated-calls.ts'
import { reopen } from '../system/handle.ts'
import type { Described } from './describe.ts'
import { type BufferPool, FileStream, readWaiting, sendPooled, shrunk } from './send-file.ts'

/** Files up to this size are read in one call. */
const MAX_SINGLE_READ = 64 * 1024

/** Nanoseconds, longer than the step of the coarsest timestamps: a second change within one step does not alter them. */
const TIMESTAMP_STEP = 2_000_000_000n

interface FileFacts {
  readonly fd: number
  readonly name: string
  readonly stats: BigIntStats
  readonly permit: Permit
  readonly pool: BufferPool
}

/** Stays open until all holders have disposed it and its last stream has ended. */
export class LocalFile implements OpenFile, SharedOpen {
  readonly name: string
  readonly size: number
  readonly fd: number
  readonly #stats: BigIntStats
  readonly #permit: Permit
  readonly #pool: BufferPool
  /** When it was opened, in nanoseconds since 1970. */
  readonly #opened = BigInt(Date.now()) * 1_000_000n
  #holders = 1
  /** Content of a small file, kept for the next request. */
  #whole: Uint8Array | undefined

  constructor({ fd, name, stats, permit, pool }: FileFacts) {
    this.fd = fd
    this.name = name
    this.size = Number(stats.size)
    this.#stats = stats
    this.#permit = permit
    this.#pool = pool
  }

  get descriptor(): number {
    return this.fd
  }

  get modified(): bigint {
    return this.#stats.mtimeNs
  }

  get inode(): bigint {
    return this.#stats.ino
  }

  get changed(): bigint {
    return this.#stats.ctimeNs
  }

  /** Only for a file from `keptFile`, which is never the target of a link. */
  get described(): Described {
    return { stats: this.#stats, target: this, targetStats: this.#stats, isLink: false }
  }

  retain(): this {
    this.#holders += 1
    return this
  }

  /** Whether content and permissions have not changed since it was opened. */
  isUnchanged(): boolean {
    const { size, mtimeNs, ctimeNs } = statsOfKept(this.fd)
    const then = this.#stats
    return ctimeNs === then.ctimeNs && mtimeNs === then.mtimeNs && size === then.size
  }

  stream(start: number, end: number): Readable {
    this.#holders += 1
    return new FileStream(this.fd, { start, end }, () => void this.#release())
  }

  async send(destination: Writable, start: number, end: number): Promise<void> {
    this.#holders += 1
    try {
      await sendPooled(this.fd, { start, end }, destination, this.#pool)
    } finally {
      await this.#release()
    }
  }

  async head(length: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(Math.min(length, this.size))
    const call = buffer.length > MAX_SINGLE_READ ? read : readFew
    const { bytesRead } = await readWaiting(async () => await call(this.fd, buffer, 0, buffer.length, 0))
    return buffer.subarray(0, bytesRead)
  }

  async small(): Promise<Uint8Array | undefined> {
    if (this.size > MAX_SINGLE_READ) return undefined
    if (this.#whole !== undefined) return this.#whole
    const whole = await this.head(this.size)
    if (whole.length < this.size) throw shrunk()
    if (this.#opened - this.#stats.ctimeNs >= TIMESTAMP_STEP) this.#whole = whole
    return whole
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release()
  }

  [Symbol.dispose](): void {
    void this.#release()
  }

  async #release(): Promise<void> {
    this.#holders -= 1
    if (this.#holders > 0) return
    const closeNow = async () => {
      using _permit = this.#permit
      await close(this.fd)
    }
    // On a stalled disk it is closed later, and the request does not wait for it.
    await new DiskWait().run(closeNow).catch((error: unknown) => {
      if (!isFilemgrError(error, 'BUSY')) throw error
    })
  }
}

/** @param permit the file takes one descriptor of it */
export async function openFile(
  scopeRoot: ScopeRoot,
  path: VirtualPath,
  permit: Permit,
  pool: BufferPool,
): Promise<LocalFile> {
  const segments = reachableSegments(path)
  using held = await holdEntry(scopeRoot, segments)
  if (held.targetStats.isDirectory()) fail('CONFLICT', 'this is a folder', { reason: 'isFolder' })
  // The O_PATH descriptor has no side effects, but opening a FIFO for reading would block, and opening a device might start it.
  if (!held.targetStats.isFile()) fail('FORBIDDEN', 'only regular files can be opened')
  const fd = await reopen(held.target, constants.O_RDONLY)
  const name = nameOf(path) || (scopeRoot.rootName ?? '')
  const file = new LocalFile({ fd, name, stats: held.targetStats, permit: permit.split(1), pool })
  // The root of a share is not kept: visitors see it under another name.
  if (segments.length > 0) scopeRoot.kept?.add(expectedRealPath(scopeRoot, segments), file)
  return file
}

/**
 * A file that is already open; undefined if there is none. Checks the rules again. Opening the file checked that it is inside the
 * scope and not protected, and a kept file does not outlive the served folder and the protected paths of that check.
 *
 * @throws NOT_FOUND, INVALID_INPUT, FORBIDDEN
 */
export function keptFile(scopeRoot: ScopeRoot, path: VirtualPath): LocalFile | undefined {
  const realPath = expectedRealPath(scopeRoot, reachableSegments(path))
  const file = scopeRoot.kept?.at(realPath)
  if (!(file instanceof LocalFile)) return undefined
  requirePermittedAt(scopeRoot, path)
  if (file.isUnchanged()) return file.retain()
  scopeRoot.kept?.drop(realPath)
  return undefined
}
