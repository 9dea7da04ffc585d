import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { isFilemgrError } from '../../domain/errors.ts'
import type { Conditions } from '../../domain/files/bucket-conditions.ts'
import type { BucketClient } from './client.ts'
import { quoted } from './stored-object.ts'

/** Prefixes of keys that are in no listing. */
export interface HiddenPrefixes {
  /** One that nobody else uses, until `end`. */
  begin(): string
  /** Nothing has the prefix any more. */
  end(prefix: string): void
  /** What has the prefix could not be removed: the next run has to sweep it. */
  leaveBehind(prefix: string): void
}

/** "new": nothing may exist; else the existing object must have this ETag. */
export type Condition = 'new' | { readonly etag: string } | undefined

export const NONE_HONOURED: Conditions = {
  put: false,
  complete: false,
  copy: false,
  remove: false,
  removeMany: false,
}

/** An ETag that no object has. */
const WRONG = quoted('0'.repeat(32))

export function headersFor(condition: Condition): { IfNoneMatch?: string; IfMatch?: string } {
  if (condition === undefined) return {}
  return condition === 'new' ? { IfNoneMatch: '*' } : { IfMatch: quoted(condition.etag) }
}

/**
 * Finds out which conditions the server honours, with two small objects that it removes again: documentation is not reliable, and a
 * server that ignores a condition does not say so.
 *
 * @throws UNAVAILABLE
 */
export async function probeConditions(client: BucketClient, hidden: HiddenPrefixes): Promise<Conditions> {
  const Bucket = client.bucket
  const prefix = hidden.begin()
  const [object, other] = [
    { Bucket, Key: `${prefix}a` },
    { Bucket, Key: `${prefix}b` },
  ]
  const copy = { ...object, CopySource: client.sourceOf(other.Key) }
  const Body = 'probe'
  try {
    for (const each of [object, other])
      await client.send((s3, options) => s3.send(new PutObjectCommand({ ...each, Body }), options))
    const put = await areRefused(
      async () =>
        await client.send((s3, options) =>
          s3.send(new PutObjectCommand({ ...object, Body, IfNoneMatch: '*' }), options),
        ),
      async () =>
        await client.send((s3, options) => s3.send(new PutObjectCommand({ ...object, Body, IfMatch: WRONG }), options)),
    )
    const copied = await areRefused(
      async () =>
        await client.send((s3, options) => s3.send(new CopyObjectCommand({ ...copy, IfNoneMatch: '*' }), options)),
      async () =>
        await client.send((s3, options) => s3.send(new CopyObjectCommand({ ...copy, IfMatch: WRONG }), options)),
    )
    const complete = await isCompletionRefused(client, object)
    const remove = await areRefused(
      async () =>
        await client.send((s3, options) => s3.send(new DeleteObjectCommand({ ...object, IfMatch: WRONG }), options)),
    )
    return { put, complete, copy: copied, remove, removeMany: await isKept(client, other) }
  } catch (error) {
    if (isFilemgrError(error, 'UNAVAILABLE')) throw error
    return NONE_HONOURED
  } finally {
    for (const each of [object, other])
      await client
        .send((s3, options) => s3.send(new DeleteObjectCommand(each), options))
        .catch(() => hidden.leaveBehind(prefix))
    hidden.end(prefix)
  }
}

interface ObjectName {
  readonly Bucket: string
  readonly Key: string
}

async function isCompletionRefused(client: BucketClient, object: ObjectName): Promise<boolean> {
  const { UploadId } = await client.send((s3, options) => s3.send(new CreateMultipartUploadCommand(object), options))
  const upload = { ...object, UploadId }
  try {
    const part = { ...upload, PartNumber: 1, Body: 'probe' }
    const { ETag } = await client.send((s3, options) => s3.send(new UploadPartCommand(part), options))
    const whole = { ...upload, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } }
    const complete = async (condition: object) =>
      await client.send((s3, options) =>
        s3.send(new CompleteMultipartUploadCommand({ ...whole, ...condition }), options),
      )
    return await areRefused(
      async () => await complete({ IfNoneMatch: '*' }),
      async () => await complete({ IfMatch: WRONG }),
    )
  } finally {
    await client.send((s3, options) => s3.send(new AbortMultipartUploadCommand(upload), options)).catch(() => undefined)
  }
}

/** Whether a removal of several objects spares one whose ETag is another. */
async function isKept(client: BucketClient, { Bucket, Key }: ObjectName): Promise<boolean> {
  const input = { Bucket, Delete: { Objects: [{ Key, ETag: WRONG }] } }
  const { Errors = [] } = await client.send((s3, options) => s3.send(new DeleteObjectsCommand(input), options))
  return Errors.some(({ Code = '' }) => IS_CHANGED.has(Code))
}

/** How a removal of several objects reports one that has another ETag. */
export const IS_CHANGED: ReadonlySet<string> = new Set(['PreconditionFailed', 'ConditionalRequestConflict'])

/** Whether the server answers each of the requests that its condition is not met. */
async function areRefused(...requests: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  for (const request of requests) {
    try {
      await request()
      return false
    } catch (error) {
      if (isFilemgrError(error, 'UNAVAILABLE')) throw error
      if (!isFilemgrError(error, 'PRECONDITION_FAILED')) return false
    }
  }
  return true
}
