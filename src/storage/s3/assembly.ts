import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { Span } from '../../domain/files/archives/archive-format.ts'
import { BODY_TIMEOUT, type BucketClient, COPY_TIMEOUT, orMissing } from './client.ts'
import { type Condition, headersFor } from './conditions.ts'
import { type KeptHeaders, type ListedObject, quoted, unquoted, metadataWith } from './stored-object.ts'

/** A multipart upload: nobody sees the object before it is complete. Disposing of it earlier aborts it. */
export interface Assembly extends AsyncDisposable {
  readonly id: string
  /** @param number from 1 to `MAX_PARTS`; all parts except the last have at least 5 MiB */
  add(number: number, bytes: Uint8Array): Promise<void>
  addCopy(number: number, source: Pick<ListedObject, 'key' | 'etag'>, span?: Span): Promise<void>
  /** Of the parts so far, in their order. */
  etags(): string[]
  /** @returns its ETag. @throws PRECONDITION_FAILED */
  complete(condition: Condition): Promise<string>
}

export const MAX_PARTS = 10_000

/** Begins a multipart upload. */
export async function assemble(
  client: BucketClient,
  key: string,
  { headers, modified }: { readonly headers: KeptHeaders; readonly modified: bigint | undefined },
): Promise<Assembly> {
  const input = { Bucket: client.bucket, Key: key, ...headers, Metadata: metadataWith(headers.Metadata, modified) }
  const { UploadId: id = '' } = await client.send((s3, options) =>
    s3.send(new CreateMultipartUploadCommand(input), options),
  )
  const upload = { Bucket: client.bucket, Key: key, UploadId: id }
  const parts: { PartNumber: number; ETag: string | undefined }[] = []
  const inOrder = () => parts.toSorted((one, other) => one.PartNumber - other.PartNumber)
  let isDone = false
  return {
    id,
    add: async (PartNumber, Body) => {
      const part = { ...upload, PartNumber, Body, ContentLength: Body.length }
      const { ETag } = await client.send((s3, options) => s3.send(new UploadPartCommand(part), options), {
        timeout: BODY_TIMEOUT,
      })
      parts.push({ PartNumber, ETag })
    },
    addCopy: async (PartNumber, source, span) => {
      const part = {
        ...upload,
        PartNumber,
        CopySource: client.sourceOf(source.key),
        CopySourceIfMatch: quoted(source.etag),
        ...(span && { CopySourceRange: `bytes=${span.start}-${span.end - 1}` }),
      }
      const { CopyPartResult } = await client.send((s3, options) => s3.send(new UploadPartCopyCommand(part), options), {
        timeout: COPY_TIMEOUT,
      })
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag })
    },
    etags: () => inOrder().map(({ ETag = '' }) => unquoted(ETag)),
    complete: async (condition) => {
      const whole = { ...upload, MultipartUpload: { Parts: inOrder() }, ...headersFor(condition) }
      const { ETag = '' } = await client.send(
        (s3, options) => s3.send(new CompleteMultipartUploadCommand(whole), options),
        { timeout: COPY_TIMEOUT },
      )
      isDone = true
      return unquoted(ETag)
    },
    [Symbol.asyncDispose]: async () => {
      if (isDone) return
      await abortUpload(client, key, id)
    },
  }
}

/** Removes the parts of an upload, if there is one. */
export async function abortUpload(client: BucketClient, key: string, id: string): Promise<void> {
  const upload = { Bucket: client.bucket, Key: key, UploadId: id }
  await orMissing(
    async () => await client.send((s3, options) => s3.send(new AbortMultipartUploadCommand(upload), options)),
  )
}
