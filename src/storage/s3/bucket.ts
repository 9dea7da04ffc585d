import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { fail, isFilemgrError, throwIfCancelled } from '../../domain/errors.ts'
import type { Span } from '../../domain/files/archive-content.ts'
import { bucketError } from './bucket-error.ts'
import {
  unquoted,
  decodeKey,
  type KeptHeaders,
  type ListedObject,
  nanosecondsOf,
  quoted,
  storedObject,
  type StoredObject,
} from './stored-object.ts'
import { metadataWith } from './times.ts'

export interface PageOptions {
  /** Lists only what is directly under the prefix; the rest is grouped into `folders`. */
  readonly isGrouped?: boolean
  /** Begins after this key. */
  readonly after?: string | undefined
  /** Lists a single page with at most this many entries. */
  readonly max?: number
  readonly signal?: AbortSignal | undefined
}

/** One page of a listing. */
export interface Page {
  readonly objects: readonly ListedObject[]
  /** Prefixes up to the next slash, if `isGrouped`. */
  readonly folders: readonly string[]
}

/** "new": nothing may exist; else the existing object must have this ETag. Servers without conditional requests ignore it. */
export type Condition = 'new' | { readonly etag: string } | undefined

export interface NewObject {
  readonly headers: KeptHeaders
  /** Nanoseconds since 1970; undefined to leave it to the server. */
  readonly modified: bigint | undefined
  readonly condition?: Condition
}

/** Milliseconds. Long for copies of gigabytes, to which the server responds once they are complete. */
const REQUEST_TIMEOUT = 30_000
const LONG_REQUEST_TIMEOUT = 15 * 60_000
const CONNECTION_TIMEOUT = 5000
/** Downloads to slow readers hold connections, so there are as many as the daemon may have clients. */
const MAX_CONNECTIONS = 1024
/** Bytes that the server copies in one request. */
const MAX_COPY = 5 * 1024 ** 3
const MAX_PARTS = 10_000
/** Objects that one request deletes. */
const MAX_DELETED = 1000

/** The requests to one bucket, by the AWS SDK. Throws only our own errors. */
export class Bucket implements Disposable {
  readonly name: string
  readonly #client: S3Client
  /** Kinds of requests for which the server does not implement conditions. */
  readonly #unconditional = new Set<string>()

  constructor(name: string) {
    const { env } = process
    const isElsewhere = (env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']) !== undefined
    const hasRegion = (env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']) !== undefined
    this.name = name
    this.#client = new S3Client({
      // S3 servers other than AWS seldom have a host name for each bucket, and most ignore the region.
      ...(isElsewhere && { forcePathStyle: true, ...(!hasRegion && { region: 'us-east-1' }) }),
      followRegionRedirects: true,
      // Older servers do not support the newer checksums, and the signature already covers the body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT,
        requestTimeout: REQUEST_TIMEOUT,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    })
  }

  /** Whether the bucket keeps old versions of its objects; false if we may not ask. */
  async hasVersions(): Promise<boolean> {
    const request = this.#client.send(new GetBucketVersioningCommand({ Bucket: this.name }))
    return await request.then(
      ({ Status }) => Status === 'Enabled',
      () => false,
    )
  }

  /** Everything whose key begins with the prefix, in byte order. */
  async *pages(
    prefix: string,
    { isGrouped = false, after, max, signal }: PageOptions = {},
  ): AsyncGenerator<Page, void, void> {
    let token: string | undefined
    do {
      throwIfCancelled(signal)
      const input = {
        ...{ Bucket: this.name, Prefix: prefix, MaxKeys: max, StartAfter: after, ContinuationToken: token },
        // Keys may contain characters that XML does not allow.
        EncodingType: 'url' as const,
        Delimiter: isGrouped ? '/' : undefined,
      }
      const page = await this.#send((options) => this.#client.send(new ListObjectsV2Command(input), options), signal)
      const decode = page.EncodingType === 'url' ? decodeKey : (key: string) => key
      yield {
        objects: (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
          ...{ key: decode(Key), size: Size, etag: unquoted(ETag), stored: nanosecondsOf(LastModified) },
        })),
        folders: (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => decode(Prefix)),
      }
      token = max === undefined && page.IsTruncated === true ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  /** The first object whose key begins with the prefix; undefined if there is none. */
  async first(prefix: string): Promise<ListedObject | undefined> {
    for await (const { objects } of this.pages(prefix, { max: 1 })) return objects[0]
    return undefined
  }

  async head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const input = { Bucket: this.name, Key: key, ChecksumMode: 'ENABLED' as const }
    return await this.#orMissing(async () => {
      const head = await this.#send((options) => this.#client.send(new HeadObjectCommand(input), options), signal)
      return storedObject(key, head, head.ContentLength ?? 0)
    })
  }

  /**
   * The object with its content, or a span of it. The caller must read `body` to its end.
   *
   * @throws PRECONDITION_FAILED if the object does not have this ETag
   */
  async get(
    key: string,
    { span, etag, signal }: { span?: Span; etag?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<{ object: StoredObject; body: AsyncIterable<Uint8Array> } | undefined> {
    const input = {
      ...{ Bucket: this.name, Key: key, IfMatch: etag === undefined ? undefined : quoted(etag) },
      Range: span && `bytes=${span.start}-${span.end - 1}`,
    }
    return await this.#orMissing(async () => {
      const found = await this.#send((options) => this.#client.send(new GetObjectCommand(input), options), signal)
      const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1]
      const object = storedObject(key, found, Number(whole ?? found.ContentLength ?? 0))
      return { object, body: withIdleTimeout(found.Body as Readable) }
    })
  }

  /** @returns its ETag. @throws PRECONDITION_FAILED, NO_SPACE */
  async put(key: string, bytes: Uint8Array, { headers: kept, modified, condition }: NewObject): Promise<string> {
    const input = {
      ...{ Bucket: this.name, Key: key, Body: bytes, ContentLength: bytes.length },
      ...{ ...kept, Metadata: metadataWith(kept.Metadata, modified) },
    }
    const { ETag = '' } = await this.#conditionally(
      'put',
      condition,
      async (headers) =>
        await this.#send((options) => this.#client.send(new PutObjectCommand({ ...input, ...headers }), options)),
    )
    return unquoted(ETag)
  }

  /**
   * Copies inside the server.
   *
   * @param advance called with the bytes of each part
   * @throws PRECONDITION_FAILED, also if the source has changed; NOT_FOUND
   */
  async copy(
    source: StoredObject,
    to: string,
    { modified, condition }: Pick<NewObject, 'modified' | 'condition'>,
    { signal, advance }: { signal?: AbortSignal | undefined; advance?: ((bytes: number) => void) | undefined } = {},
  ): Promise<void> {
    if (source.size > MAX_COPY) {
      await using assembly = await this.assemble(to, { headers: source.headers, modified })
      const size = Math.max(MAX_COPY / 10, Math.ceil(source.size / MAX_PARTS))
      for (let start = 0; start < source.size; start += size) {
        throwIfCancelled(signal)
        const span = { start, end: Math.min(start + size, source.size) }
        await assembly.addCopy(Math.floor(start / size) + 1, source, span)
        advance?.(span.end - span.start)
      }
      await assembly.complete(condition)
      return
    }
    const { headers: kept, etag } = source
    const input = {
      ...{ Bucket: this.name, Key: to, CopySource: this.#sourceOf(source.key), CopySourceIfMatch: quoted(etag) },
      ...{ ...kept, MetadataDirective: 'REPLACE' as const, Metadata: metadataWith(kept.Metadata, modified) },
    }
    throwIfCancelled(signal)
    // Without the signal: an aborted request could still make the copy.
    await this.#conditionally(
      'copy',
      condition,
      async (headers) =>
        await this.#send(
          (options) => this.#client.send(new CopyObjectCommand({ ...input, ...headers }), options),
          undefined,
          LONG_REQUEST_TIMEOUT,
        ),
    )
    advance?.(source.size)
  }

  /** Deletes objects, whether or not they exist. @throws FORBIDDEN if one of them may not be deleted */
  async remove(keys: readonly string[]): Promise<void> {
    // A request for several keys is XML, so keys with control characters need requests of their own. The content of a folder is
    // deleted before its marker, as servers that store objects on a disk need it.
    const plain = keys.filter((key) => !NOT_XML.test(key)).toSorted((one, other) => (one < other ? 1 : -1))
    for (const key of keys.length === 1 ? keys : keys.filter((each) => NOT_XML.test(each)))
      await this.#send((options) =>
        this.#client.send(new DeleteObjectCommand({ Bucket: this.name, Key: key }), options),
      )
    if (keys.length === 1) return
    for (let start = 0; start < plain.length; start += MAX_DELETED) {
      const Objects = plain.slice(start, start + MAX_DELETED).map((Key) => ({ Key }))
      const input = { Bucket: this.name, Delete: { Objects, Quiet: true } }
      const { Errors = [] } = await this.#send((options) => this.#client.send(new DeleteObjectsCommand(input), options))
      const [first] = Errors
      if (first?.Code === 'AccessDenied') fail('FORBIDDEN', `the bucket ${this.name} does not permit deleting`)
      if (first !== undefined) fail('UNAVAILABLE', `the S3 server could not delete a file (${first.Code}): try again`)
    }
  }

  /** Begins a multipart upload. */
  async assemble(key: string, { headers, modified }: NewObject): Promise<Assembly> {
    const input = {
      ...{ Bucket: this.name, Key: key },
      ...{ ...headers, Metadata: metadataWith(headers.Metadata, modified) },
    }
    const { UploadId } = await this.#send((options) =>
      this.#client.send(new CreateMultipartUploadCommand(input), options),
    )
    const upload = { Bucket: this.name, Key: key, UploadId }
    const parts: { PartNumber: number; ETag: string | undefined }[] = []
    let isDone = false
    return {
      add: async (PartNumber, Body) => {
        const part = { ...upload, PartNumber, Body, ContentLength: Body.length }
        const { ETag } = await this.#send((options) => this.#client.send(new UploadPartCommand(part), options))
        parts.push({ PartNumber, ETag })
      },
      addCopy: async (PartNumber, source, span) => {
        const part = {
          ...{ ...upload, PartNumber, CopySource: this.#sourceOf(source.key), CopySourceIfMatch: quoted(source.etag) },
          ...(span && { CopySourceRange: `bytes=${span.start}-${span.end - 1}` }),
        }
        const { CopyPartResult } = await this.#send(
          (options) => this.#client.send(new UploadPartCopyCommand(part), options),
          undefined,
          LONG_REQUEST_TIMEOUT,
        )
        parts.push({ PartNumber, ETag: CopyPartResult?.ETag })
      },
      complete: async (condition) => {
        const Parts = parts.toSorted((one, other) => one.PartNumber - other.PartNumber)
        const whole = { ...upload, MultipartUpload: { Parts } }
        const { ETag = '' } = await this.#conditionally(
          'complete',
          condition,
          async (headers) =>
            await this.#send(
              (options) => this.#client.send(new CompleteMultipartUploadCommand({ ...whole, ...headers }), options),
              undefined,
              LONG_REQUEST_TIMEOUT,
            ),
        )
        isDone = true
        return unquoted(ETag)
      },
      [Symbol.asyncDispose]: async () => {
        // If this fails, only a lifecycle rule of the bucket removes the parts.
        if (!isDone) await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
      },
    }
  }

  [Symbol.dispose](): void {
    this.#client.destroy()
  }

  #sourceOf(key: string): string {
    return `${this.name}/${key.split('/').map(encodeURIComponent).join('/')}`
  }

  async #send<T>(
    send: (options: { abortSignal?: AbortSignal; requestTimeout: number }) => Promise<T>,
    signal?: AbortSignal,
    requestTimeout = REQUEST_TIMEOUT,
  ): Promise<T> {
    throwIfCancelled(signal)
    try {
      return await send({ requestTimeout, ...(signal && { abortSignal: signal }) })
    } catch (error) {
      throw bucketError(error, this.name)
    }
  }

  /** Sends a request with a condition, or without it if the server does not implement conditions for this kind. */
  async #conditionally<T>(
    kind: string,
    condition: Condition,
    send: (headers: { IfNoneMatch?: string; IfMatch?: string }) => Promise<T>,
  ): Promise<T> {
    if (condition === undefined || this.#unconditional.has(kind)) return await send({})
    try {
      return await send(condition === 'new' ? { IfNoneMatch: '*' } : { IfMatch: quoted(condition.etag) })
    } catch (error) {
      if (!isFilemgrError(error, 'NOT_IMPLEMENTED')) throw error
      this.#unconditional.add(kind)
      return await send({})
    }
  }

  async #orMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await request()
    } catch (error) {
      if (isFilemgrError(error, 'NOT_FOUND')) return undefined
      throw error
    }
  }
}

/** A multipart upload: nobody sees the object before it is complete. Disposing of it earlier aborts it. */
export interface Assembly extends AsyncDisposable {
  /** @param number from 1 to `MAX_PARTS`; all parts except the last have at least 5 MiB */
  add(number: number, bytes: Uint8Array): Promise<void>
  addCopy(number: number, source: Pick<ListedObject, 'key' | 'etag'>, span?: Span): Promise<void>
  /** @returns its ETag. @throws PRECONDITION_FAILED */
  complete(condition: Condition): Promise<string>
}

/** Fails if the server sends nothing for too long. The reader may take any time. */
async function* withIdleTimeout(body: Readable): AsyncGenerator<Uint8Array, void, void> {
  const arm = () => setTimeout(() => body.destroy(new Error('the server sends nothing')), REQUEST_TIMEOUT)
  let timer = arm()
  try {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      clearTimeout(timer)
      yield part
      timer = arm()
    }
  } finally {
    clearTimeout(timer)
  }
}

// eslint-disable-next-line no-control-regex -- the characters that XML 1.0 does not allow
const NOT_XML = /[\u0000-\u001f\ufffe\uffff]/
