import type { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { FileStore, MemoryConfigstore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { PartChecksum } from '../../domain/upload.ts'
import { UPLOAD_IDLE } from '../../services/uploads/open-uploads.ts'
import type { HeldUpload } from '../../services/uploads/held-upload.ts'

/** The request that @tus/server is at. */
export interface TusCall {
  /** Held for this request by the services, which have decided all. */
  readonly upload: HeldUpload
  readonly request: IncomingMessage
  readonly signal: AbortSignal
  readonly checksum: PartChecksum | undefined
  /** What a handler threw: it is answered as every other error is. */
  failure?: unknown
}

/**
 * Stands between the protocol and our uploads. The bytes go straight from the socket to the disk: @tus/server would lead them
 * through six streams, and the plain store would keep them under the id that the client asks for.
 */
export class HeldUploadStore extends FileStore {
  readonly #calls: AsyncLocalStorage<TusCall>

  constructor(calls: AsyncLocalStorage<TusCall>) {
    // It insists on a folder of its own, which must exist; nothing is put there: our files lie beside their targets.
    super({ directory: tmpdir(), configstore: new MemoryConfigstore(), expirationPeriodInMilliseconds: UPLOAD_IDLE })
    this.#calls = calls
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  override async create(upload: Upload): Promise<Upload> {
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const { offset, length, touched } = this.#call().upload.state
    // Expiry counts from the last byte.
    const since = touched === undefined ? {} : { creation_date: new Date(touched).toISOString() }
    return new Upload({ id, offset, size: length, ...since })
  }

  override async write(standIn: Readable, _id: string, offset: number): Promise<number> {
    // The pipeline around us ends only when its empty stream was read.
    standIn.resume()
    const { upload, request, signal, checksum } = this.#call()
    return await upload.append(offset, request, { signal, checksum })
  }

  override async remove(): Promise<void> {
    await this.#call().upload.discard()
  }

  #call(): TusCall {
    const call = this.#calls.getStore()
    if (call === undefined) throw new Error('the store of uploads was used outside of a request')
    return call
  }
}
