import { createHash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import { fail, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import { writePart } from '../../platform/network/write-part.ts'
import type { Span } from '../../domain/files/archives/archive-format.ts'
import type { OpenFile, Written } from '../open-file.ts'
import type { Bucket } from './bucket.ts'
import { brokenOff, wholeOf } from './client.ts'
import { type BucketRoot, failMissing, keyOf, lookUp, shownNameOf } from './bucket-root.ts'
import type { StoredObject } from './stored-object.ts'

/** Bytes that are read when a file is opened, so that small files need no further request. */
const FIRST = 64 * 1024
/** How often the rest of a file is requested again after a broken connection, without receiving a byte in between. */
const MAX_RETRIES = 3

/** An object as it was when it was opened. If it is replaced, the bytes that have not been read are gone. */
export class BucketFile implements OpenFile {
  readonly name: string
  readonly size: number
  readonly modified: bigint
  readonly inode: bigint
  readonly direct: OpenFile['direct']
  readonly #bucket: Bucket
  readonly #object: Pick<StoredObject, 'key' | 'etag'>
  readonly #first: Uint8Array

  constructor(bucket: Bucket, object: StoredObject, name: string, first: Uint8Array) {
    this.name = name
    this.size = object.size
    this.modified = object.modified
    this.inode = inodeOf(object.etag)
    const { signer } = bucket
    this.direct = signer && (async (reply) => await signer.addressOf(object.key, reply))
    this.#bucket = bucket
    this.#object = object
    this.#first = first
  }

  stream(start: number, end: number): Readable {
    return Readable.from(this.bytes({ start, end: end + 1 }), { objectMode: false })
  }

  async send(destination: Writable, start: number, end: number): Promise<void> {
    for await (const part of this.bytes({ start, end: end + 1 })) await writePart(destination, part)
  }

  async head(length: number): Promise<Uint8Array> {
    const end = Math.min(length, this.size)
    if (end <= this.#first.length) return this.#first.subarray(0, end)
    return Buffer.concat(await Array.fromAsync(this.bytes({ start: 0, end })))
  }

  async small(): Promise<Uint8Array | undefined> {
    return this.size === this.#first.length ? this.#first : undefined
  }

  /** The bytes of a span. Resumes after a broken connection. @throws CONFLICT if the file was replaced or removed */
  async *bytes({ start, end }: Span, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    let position = start
    if (position < Math.min(end, this.#first.length)) {
      const part = this.#first.subarray(position, end)
      position += part.length
      yield part
    }
    for (let retries = 0; position < end;) {
      const before = position
      try {
        for await (const part of await this.#rest({ start: position, end }, signal)) {
          position += part.length
          yield part
        }
      } catch (error) {
        if (isFilemgrError(error) || signal?.aborted === true) throw error
        retries = position > before ? 1 : retries + 1
        if (retries > MAX_RETRIES) throw brokenOff(error)
        continue
      }
      if (position < end) throw replaced()
    }
  }

  async #rest(span: Span, signal: AbortSignal | undefined): Promise<AsyncIterable<Uint8Array>> {
    const { key, etag } = this.#object
    const found = await this.#bucket.get(key, { span, etag, signal }).catch((error: unknown) => {
      throw isFilemgrError(error, 'PRECONDITION_FAILED') ? replaced() : error
    })
    return found?.body ?? fail('CONFLICT', 'the file was removed while it was read', { reason: 'changed' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is open between requests.
  }
}

function replaced(): FilemgrError {
  return new FilemgrError('CONFLICT', 'the file was replaced while it was read: read it again')
}

/** A number that changes with the content, for the ETags of our responses. */
export function inodeOf(etag: string): bigint {
  return createHash('sha256').update(etag).digest().readBigUInt64BE()
}

export function writtenOf({ size, modified, etag }: Pick<StoredObject, 'size' | 'modified' | 'etag'>): Written {
  return { size, modified, inode: inodeOf(etag) }
}

/** @throws NOT_FOUND; CONFLICT for a folder */
export async function openFile(root: BucketRoot, path: VirtualPath): Promise<BucketFile> {
  const key = keyOf(root, path)
  // The root of a scope has no key of its own.
  const object = key === root.prefix ? undefined : await openObject(root.bucket, key, shownNameOf(root, path))
  if (object !== undefined) return object
  if ((await lookUp(root, key))?.kind === 'folder') fail('CONFLICT', 'this is a folder', { reason: 'isFolder' })
  return await failMissing(root, path)
}

/** Undefined if there is no such object. */
export async function openObject(bucket: Bucket, key: string, name: string): Promise<BucketFile | undefined> {
  const found = await bucket.get(key, { span: { start: 0, end: FIRST } }).catch((error: unknown) => {
    // Servers refuse a range of an empty object.
    if (isFilemgrError(error, 'INVALID_INPUT')) return 'empty' as const
    throw error
  })
  if (found === undefined) return undefined
  if (found === 'empty') {
    const object = await bucket.head(key)
    return object && new BucketFile(bucket, object, name, new Uint8Array())
  }
  const first = (await wholeOf(found.body)).subarray(0, FIRST)
  return new BucketFile(bucket, found.object, name, first)
}
