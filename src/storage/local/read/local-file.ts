import { constants } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { nameOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { DiskWait } from '../../../platform/limits/disk-wait.ts'
import type { OpenFile } from '../../storage.ts'
import { reachable } from '../scope/reserved-names.ts'
import { holdEntry } from '../scope/resolve.ts'
import type { Lease } from '../scope/run-operation.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { close, read, readFew } from '../system/gated-calls.ts'
import { reopen } from '../system/handle.ts'
import { type BufferPool, FileStream, sendPooled, shrunk } from './send-file.ts'

/** Files up to this size are read in one call. */
const SMALL = 64 * 1024

interface FileFacts {
  readonly fd: number
  readonly name: string
  readonly size: number
  readonly modified: bigint
  readonly inode: bigint
  readonly lease: Lease
  readonly pool: BufferPool
}

/** Stays open until it is disposed of and its last stream has ended. */
export class LocalFile implements OpenFile {
  readonly name: string
  readonly size: number
  readonly modified: bigint
  readonly inode: bigint
  readonly descriptor: number
  readonly #lease: Lease
  readonly #pool: BufferPool
  #holders = 1

  constructor({ fd, name, size, modified, inode, lease, pool }: FileFacts) {
    this.descriptor = fd
    this.name = name
    this.size = size
    this.modified = modified
    this.inode = inode
    this.#lease = lease
    this.#pool = pool
  }

  stream(start: number, end: number): Readable {
    this.#holders += 1
    return new FileStream(this.descriptor, { start, end }, () => void this.#release())
  }

  async send(destination: Writable, start: number, end: number): Promise<void> {
    this.#holders += 1
    try {
      await sendPooled(this.descriptor, { start, end }, destination, this.#pool)
    } finally {
      await this.#release()
    }
  }

  async head(length: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(Math.min(length, this.size))
    const call = buffer.length > SMALL ? read : readFew
    const { bytesRead } = await new DiskWait().run(async () => await call(this.descriptor, buffer, 0, buffer.length, 0))
    return buffer.subarray(0, bytesRead)
  }

  async small(): Promise<Uint8Array | undefined> {
    if (this.size > SMALL) return undefined
    const whole = await this.head(this.size)
    if (whole.length < this.size) throw shrunk()
    return whole
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release()
  }

  async #release(): Promise<void> {
    this.#holders -= 1
    if (this.#holders > 0) return
    const closeNow = async () => {
      using _lease = this.#lease
      await close(this.descriptor)
    }
    // On a stalled disk it is closed later, without a request waiting for it.
    await new DiskWait().run(closeNow).catch((error: unknown) => {
      if (!isFilemgrError(error, 'BUSY')) throw error
    })
  }
}

/** @param lease has a descriptor for the file to keep */
export async function openFile(
  scopeRoot: ScopeRoot,
  path: VirtualPath,
  lease: Lease,
  pool: BufferPool,
): Promise<LocalFile> {
  using held = await holdEntry(scopeRoot, reachable(path))
  if (held.targetStats.isDirectory()) fail('CONFLICT', 'this is a folder')
  // What is held has had no effect yet. A fifo would be waited for, a device would start.
  if (!held.targetStats.isFile()) fail('FORBIDDEN', 'only regular files can be opened')
  const fd = await reopen(held.target, constants.O_RDONLY)
  const { size, mtimeNs, ino } = held.targetStats
  const name = nameOf(path) || (scopeRoot.rootName ?? '')
  return new LocalFile({ fd, name, size: Number(size), modified: mtimeNs, inode: ino, lease: lease.split(1), pool })
}
