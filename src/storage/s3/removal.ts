import { DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { BODY_TIMEOUT, type BucketClient } from './client.ts'
import { headersFor, IS_CHANGED } from './conditions.ts'
import { quoted, requireUtf8 } from './stored-object.ts'

/** Objects that one request deletes. */
const MAX_DELETED = 1000

/** @returns false if it has another ETag. @throws CONFLICT */
export async function removeOne(client: BucketClient, key: string, etag?: string): Promise<boolean> {
  requireUtf8(key)
  const input = { Bucket: client.bucket, Key: key, ...headersFor(etag === undefined ? undefined : { etag }) }
  try {
    await client.send((s3, options) => s3.send(new DeleteObjectCommand(input), options))
  } catch (error) {
    if (isFilemgrError(error, 'PRECONDITION_FAILED') && etag !== undefined) return false
    if (!isFilemgrError(error, 'NOT_FOUND')) throw error
  }
  return true
}

/** @returns the keys of those that have another ETag. @throws CONFLICT before any is deleted */
export async function removeMany(
  client: BucketClient,
  objects: readonly { readonly key: string; readonly etag?: string }[],
): Promise<readonly string[]> {
  const changed: string[] = []
  for (const { key } of objects) requireUtf8(key)
  // A request for several keys is XML, so keys with control characters need requests of their own.
  for (const { key, etag } of objects.filter((each) => NOT_XML.test(each.key)))
    if (!(await removeOne(client, key, etag))) changed.push(key)
  const plain = contentFirst(objects.filter(({ key }) => !NOT_XML.test(key)))
  for (let start = 0; start < plain.length; start += MAX_DELETED) {
    const Objects = plain
      .slice(start, start + MAX_DELETED)
      .map(({ key: Key, etag }) => ({ Key, ...(etag !== undefined && { ETag: quoted(etag) }) }))
    const input = { Bucket: client.bucket, Delete: { Objects, Quiet: true } }
    const { Errors = [] } = await client.send((s3, options) => s3.send(new DeleteObjectsCommand(input), options), {
      timeout: BODY_TIMEOUT,
    })
    for (const { Code = '', Key = '' } of Errors) {
      // Some servers report what another request was faster to delete.
      if (Code === 'NoSuchKey') continue
      if (Code === 'AccessDenied') fail('FORBIDDEN', `the bucket ${client.bucket} does not permit deleting`)
      if (!IS_CHANGED.has(Code)) fail('UNAVAILABLE', `the S3 server could not delete a file (${Code}): try again`)
      changed.push(Key)
    }
  }
  return changed
}

export function isMarker(key: string): boolean {
  return key.endsWith('/')
}

/** The content of a folder before its marker, as servers that store objects on a disk need it. */
export function contentFirst<T extends { readonly key: string }>(objects: readonly T[]): T[] {
  return objects.toSorted((one, other) => (one.key < other.key ? 1 : -1))
}

// eslint-disable-next-line no-control-regex -- the characters that XML 1.0 does not allow
const NOT_XML = /[\u0000-\u001f\ufffe\uffff]/
