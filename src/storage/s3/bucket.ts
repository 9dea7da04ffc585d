import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { fail, isFilemgrError, throwIfCancelled } from '../../domain/errors.ts'
import type { Span } from '../../domain/files/archives/archive-format.ts'
import type { Conditions } from '../../domain/files/bucket-conditions.ts'
import { parseJson } from '../../domain/schema/parse-value.ts'
import { abortUpload, type Assembly, assemble, MAX_PARTS } from './assembly.ts'
import { BODY_TIMEOUT, BucketClient, COPY_TIMEOUT, orMissing, withIdleTimeout, wholeOf } from './client.ts'
import { type Condition, headersFor, NONE_HONOURED, probeConditions, type HiddenPrefixes } from './conditions.ts'
import { mapParallel } from './in-parallel.ts'
import { despiteLostAnswer, etagOf, etagOfParts } from './lost-answer.ts'
import { contentFirst, isMarker, removeMany, removeOne } from './removal.ts'
import { type Browsers, Signer } from './signer.ts'
import {
  unquoted,
  decodeKey,
  type KeptHeaders,
  type ListedObject,
  nanosecondsOf,
  quoted,
  storedObject,
  type StoredObject,
  type PageOptions,
  type Page,
  metadataWith,
} from './stored-object.ts'

export interface NewObject {
  readonly headers: KeptHeaders
  /** Nanoseconds since 1970; undefined to leave it to the server. */
  readonly modified: bigint | undefined
  readonly condition?: Condition
}

/** Bytes that are copied by one request, while nobody else may change source and target. Larger files are copied in parts before. */
export const FEW_BYTES = 256 * 1024 * 1024

/** Bytes of a body that does not take long. */
const SMALL_BODY = 1024 * 1024

/** The object that names a multipart upload, below its own prefix. */
const UPLOAD = 'upload.json'

const UploadRecord = Type.Object({ key: Type.String(), id: Type.String() })

/** What has a key. */
export interface Glance {
  readonly isFile: boolean
  readonly isFolder: boolean
}

/** Keys of a listing that looks for one. */
const GLANCED = 10

/** A copy inside the server, which nobody sees before it is placed. Disposing of it earlier drops it. */
export interface Copy extends AsyncDisposable {
  /** @returns its ETag. @throws PRECONDITION_FAILED, also if the source has changed or is gone */
  place(condition: Condition): Promise<string>
}

/** The requests to one bucket. Throws only our own errors. */
export class Bucket implements Disposable {
  readonly name: string
  /** Undefined unless browsers may load files from the server themselves. */
  readonly signer: Signer | undefined
  readonly #client: BucketClient
  readonly #hidden: HiddenPrefixes
  #conditions: Promise<Conditions> | undefined

  /** @param browsers if they may load files from the server themselves */
  constructor(name: string, hidden: HiddenPrefixes, browsers?: Browsers) {
    this.name = name
    this.signer = browsers && new Signer(name, browsers)
    this.#client = new BucketClient(name)
    this.#hidden = hidden
  }

  /** Which conditions the server honours. Asked once, since it takes some requests. @throws UNAVAILABLE */
  async conditions(): Promise<Conditions> {
    this.#conditions ??= probeConditions(this.#client, this.#hidden).catch((error: unknown) => {
      this.#conditions = undefined
      throw error
    })
    return await this.#conditions
  }

  /**
   * The same, but none as long as it cannot be found out. A request never has a condition that is not honoured: the effects rely
   * on locks then, and look right before.
   */
  async honoured(): Promise<Conditions> {
    return await this.conditions().catch(() => NONE_HONOURED)
  }

  /** Whether the bucket keeps old versions of its objects; false if we may not ask. */
  async hasVersions(): Promise<boolean> {
    const request = this.#client.send((s3, options) =>
      s3.send(new GetBucketVersioningCommand({ Bucket: this.name }), options),
    )
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
        Bucket: this.name,
        Prefix: prefix,
        MaxKeys: max,
        StartAfter: after,
        ContinuationToken: token,
        // Keys may contain characters that XML does not allow.
        EncodingType: 'url' as const,
        Delimiter: isGrouped ? '/' : undefined,
      }
      const page = await this.#client.send((s3, options) => s3.send(new ListObjectsV2Command(input), options), {
        signal,
        ...(max === undefined && { timeout: BODY_TIMEOUT }),
      })
      const decode = page.EncodingType === 'url' ? decodeKey : (key: string) => key
      yield {
        objects: (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
          key: decode(Key),
          size: Size,
          etag: unquoted(ETag),
          stored: nanosecondsOf(LastModified),
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

  /** Whether there is an object with the key, and whether there are others below it; mostly by one request. */
  async glance(key: string): Promise<Glance> {
    const folder = `${key}/`
    for await (const { objects, folders } of this.pages(key, { isGrouped: true, max: GLANCED })) {
      const isFile = objects[0]?.key === key
      if (folders.includes(folder)) return { isFile, isFolder: true }
      // Names such as "key-1" come before "key/".
      const isCut = objects.length + folders.length >= GLANCED
      return { isFile, isFolder: isCut && (await this.first(folder)) !== undefined }
    }
    return { isFile: false, isFolder: false }
  }

  async head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const input = { Bucket: this.name, Key: key, ChecksumMode: 'ENABLED' as const }
    return await orMissing(async () => {
      const head = await this.#client.send((s3, options) => s3.send(new HeadObjectCommand(input), options), { signal })
      return storedObject(key, head, head.ContentLength ?? 0)
    })
  }

  /** Its headers, with its tags unless we may not see them. */
  async headersOf({ key, headers, tagCount }: StoredObject): Promise<KeptHeaders> {
    if (tagCount === 0) return headers
    const input = { Bucket: this.name, Key: key }
    try {
      const { TagSet = [] } = await this.#client.send((s3, options) =>
        s3.send(new GetObjectTaggingCommand(input), options),
      )
      const tags = TagSet.map(({ Key = '', Value = '' }): [string, string] => [Key, Value])
      return { ...headers, Tagging: new URLSearchParams(tags).toString() }
    } catch (error) {
      if (isFilemgrError(error, 'FORBIDDEN', 'NOT_IMPLEMENTED')) return headers
      throw error
    }
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
      Bucket: this.name,
      Key: key,
      IfMatch: etag === undefined ? undefined : quoted(etag),
      Range: span && `bytes=${span.start}-${span.end - 1}`,
    }
    return await orMissing(async () => {
      const found = await this.#client.send((s3, options) => s3.send(new GetObjectCommand(input), options), { signal })
      const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1]
      const object = storedObject(key, found, Number(whole ?? found.ContentLength ?? 0))
      return { object, body: withIdleTimeout(found.Body as Readable) }
    })
  }

  /** @returns its ETag. @throws PRECONDITION_FAILED, NO_SPACE */
  async put(key: string, bytes: Uint8Array, { headers: kept, modified, condition }: NewObject): Promise<string> {
    const { put } = await this.honoured()
    const input = {
      Bucket: this.name,
      Key: key,
      Body: bytes,
      ContentLength: bytes.length,
      ...kept,
      Metadata: metadataWith(kept.Metadata, modified),
      ...headersFor(put ? condition : undefined),
    }
    const options = bytes.length > SMALL_BODY ? { timeout: BODY_TIMEOUT } : {}
    const request = async () =>
      await this.#client.send((s3, each) => s3.send(new PutObjectCommand(input), each), options)
    return await despiteLostAnswer(async () => unquoted((await request()).ETag ?? ''), {
      find: async () => await this.head(key),
      isOurs: (found) => found.modified === modified && found.etag === etagOf(bytes),
    })
  }

  /**
   * Begins to copy inside the server.
   *
   * @param advance called with the bytes of each part
   * @throws PRECONDITION_FAILED if the source has changed or is gone
   */
  async beginCopy(
    source: StoredObject,
    to: string,
    modified: bigint,
    { signal, advance }: { signal?: AbortSignal | undefined; advance?: ((bytes: number) => void) | undefined } = {},
  ): Promise<Copy> {
    if (source.size > FEW_BYTES) return await this.#copyInParts(source, to, modified, { signal, advance })
    const { headers: kept, etag } = source
    const input = {
      Bucket: this.name,
      Key: to,
      CopySource: this.#client.sourceOf(source.key),
      CopySourceIfMatch: quoted(etag),
      ...kept,
      MetadataDirective: 'REPLACE' as const,
      Metadata: metadataWith(kept.Metadata, modified),
    }
    return {
      place: async (condition) => {
        const { copy } = await this.honoured()
        const headers = headersFor(copy ? condition : undefined)
        throwIfCancelled(signal)
        // Without the signal: an aborted request could still make the copy.
        const request = async () =>
          await this.#client.send((s3, options) => s3.send(new CopyObjectCommand({ ...input, ...headers }), options), {
            timeout: COPY_TIMEOUT,
          })
        const made = async () => (await orMissing(request)) ?? failChanged()
        const placed = await despiteLostAnswer(async () => unquoted((await made()).CopyObjectResult?.ETag ?? ''), {
          find: async () => await this.head(to),
          isOurs: (found) => found.modified === modified && found.size === source.size && found.etag === etag,
        })
        advance?.(source.size)
        return placed
      },
      [Symbol.asyncDispose]: async () => undefined,
    }
  }

  async #copyInParts(
    source: StoredObject,
    to: string,
    modified: bigint,
    { signal, advance }: { signal?: AbortSignal | undefined; advance?: ((bytes: number) => void) | undefined },
  ): Promise<Copy> {
    await using held = new AsyncDisposableStack()
    const assembly = held.use(await this.assemble(to, { headers: await this.headersOf(source), modified }))
    const size = Math.max(FEW_BYTES, Math.ceil(source.size / MAX_PARTS))
    for (let [number, start] = [1, 0]; start < source.size; number += 1, start += size) {
      throwIfCancelled(signal)
      const span = { start, end: Math.min(start + size, source.size) }
      await assembly.addCopy(number, source, span).catch((error: unknown) => {
        if (isFilemgrError(error, 'NOT_FOUND')) failChanged()
        throw error
      })
      advance?.(span.end - span.start)
    }
    const all = held.move()
    return {
      place: async (condition) => await assembly.complete(condition),
      [Symbol.asyncDispose]: async () => await all.disposeAsync(),
    }
  }

  /** Begins a multipart upload. A hidden object names it: its parts are in no listing, so a sweep would not find them. */
  async assemble(key: string, object: NewObject): Promise<Assembly> {
    await using held = new AsyncDisposableStack()
    const prefix = this.#hidden.begin()
    const record = prefix + UPLOAD
    // Forgotten after the upload, and not if that could not be aborted.
    const forget = async () =>
      await this.remove([record]).then(
        () => this.#hidden.end(prefix),
        () => this.#hidden.leaveBehind(prefix),
      )
    held.defer(forget)
    const { complete: canCompare } = await this.honoured()
    const assembly = held.use(await assemble(this.#client, key, object))
    const headers = { ContentType: 'application/json' }
    await this.put(record, Buffer.from(JSON.stringify({ key, id: assembly.id })), { headers, modified: undefined })
    held.move()
    return {
      ...assembly,
      complete: async (condition) => {
        const etag = await despiteLostAnswer(async () => await assembly.complete(canCompare ? condition : undefined), {
          find: async () => await this.head(key),
          isOurs: (found) => found.modified === object.modified && found.etag === etagOfParts(assembly.etags()),
        })
        await forget()
        return etag
      },
      [Symbol.asyncDispose]: async () => {
        const isOver = await assembly[Symbol.asyncDispose]().then(
          () => true,
          () => false,
        )
        if (isOver) await forget()
        else this.#hidden.leaveBehind(prefix)
      },
    }
  }

  /** Aborts the upload that an object under a prefix names, if there is one. */
  async abortRecorded(prefix: string): Promise<void> {
    const found = await this.get(prefix + UPLOAD)
    const record = found && parseJson((await wholeOf(found.body)).toString())
    if (Value.Check(UploadRecord, record)) await abortUpload(this.#client, record.key, record.id)
  }

  /** Deletes objects, whether or not they exist. @throws FORBIDDEN if one of them may not be deleted */
  async remove(keys: readonly string[]): Promise<void> {
    const [key] = keys
    if (key !== undefined && keys.length === 1) await removeOne(this.#client, key)
    else
      await removeMany(
        this.#client,
        keys.map((each) => ({ key: each })),
      )
  }

  /**
   * Deletes objects that still have these ETags. Hold their names: not every server compares.
   *
   * @returns the keys of those that have changed
   * @throws FORBIDDEN if one of them may not be deleted
   */
  async removeUnchanged(objects: readonly Pick<ListedObject, 'key' | 'etag'>[]): Promise<readonly string[]> {
    const honoured = await this.honoured()
    if (honoured.removeMany && objects.length > 1) return await removeMany(this.#client, objects)
    if (!honoured.remove) {
      const now = await mapParallel(objects, async ({ key }) => (await this.head(key))?.etag)
      const isSame = (etag: string, index: number) => now[index] === undefined || now[index] === etag
      await this.remove(objects.filter(({ etag }, index) => isSame(etag, index)).map(({ key }) => key))
      return objects.filter(({ etag }, index) => !isSame(etag, index)).map(({ key }) => key)
    }
    const changed: string[] = []
    const removeUnlessChanged = async ({ key, etag }: Pick<ListedObject, 'key' | 'etag'>) => {
      if (!(await removeOne(this.#client, key, etag))) changed.push(key)
    }
    await mapParallel(
      objects.filter(({ key }) => !isMarker(key)),
      removeUnlessChanged,
    )
    for (const marker of contentFirst(objects.filter(({ key }) => isMarker(key)))) await removeUnlessChanged(marker)
    return changed
  }

  [Symbol.dispose](): void {
    this.signer?.[Symbol.dispose]()
    this.#client[Symbol.dispose]()
  }
}

const failChanged = (): never => fail('PRECONDITION_FAILED', 'the file was changed meanwhile')
