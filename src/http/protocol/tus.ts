import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import {
  type DirectUpload,
  metadataValue,
  parseByteCount,
  parsePartChecksum,
  type PartChecksum,
} from '../../domain/uploads/upload.ts'
import { textOfBytes } from '../../domain/files/name-text.ts'
import { CHECKSUMS } from '../../domain/files/resource.ts'
import type { LockedUpload, UploadState } from '../../services/uploads/locked-upload.ts'
import { expiryOfUpload } from '../../services/uploads/upload-lifetime.ts'
import { stopSignalOf } from '../plugins/authentication.ts'

const PART_TYPE = 'application/offset+octet-stream'
const TUS_VERSION = '1.0.0'
const RESUMABLE = { 'tus-resumable': TUS_VERSION }
export const TUS_CAPABILITIES = {
  ...RESUMABLE,
  'tus-version': TUS_VERSION,
  'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
  'tus-checksum-algorithm': CHECKSUMS.join(','),
}

/**
 * One entry of `Upload-Metadata`: "name base64" or "name". Entries are matched one by one: a pattern for the whole list would be
 * ambiguous for each space, so that a short header could block the server (ReDoS).
 */
const METADATA_ENTRY = /^ ?[!-+\--~]+( [A-Za-z0-9+/=]*)? ?$/

const REFUSED = 'the upload does not allow this request'

/** A tus request, with the uploader and the address of the upload. */
export interface TusCall {
  readonly uploader: Actor | Visitor
  /** A slash, and the path or id of the upload. */
  readonly text: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Answers to tus 1.0 (https://tus.io/protocols/resumable-upload). Clients need not send `Tus-Resumable`. */
export function createTus({ services: { uploads }, clock }: Context) {
  const requireNotExpired = ({ touched, offset: size, ...state }: UploadState): void => {
    if (touched !== undefined && clock.now() > expiryOfUpload(state, { size, touched })) fail('NOT_FOUND', REFUSED)
  }

  /** Streams the body to the disk. @returns the new offset */
  const appendPart = async (
    request: FastifyRequest,
    upload: LockedUpload,
    checksum?: PartChecksum,
  ): Promise<number> => {
    const { offset, length } = upload.state
    if (offset + Number(headerOf(request, 'content-length') ?? 0) > length) fail('TOO_LARGE', REFUSED)
    return await upload.append(offset, request.raw, { signal: stopSignalOf(request), checksum })
  }

  return {
    /**
     * @param addressOf returns the address of an upload; only addresses for visitors contain the id. The name is given if the
     *        request named a folder only
     */
    async begin(
      call: TusCall,
      override: boolean,
      addressOf: (id: string, name?: string) => string,
    ): Promise<FastifyReply> {
      const { uploader, request, reply } = call
      requireVersion(call)
      // If the header were ignored, the last part of a concatenation would replace the whole target.
      if (request.headers['upload-concat'] !== undefined) {
        fail('INVALID_INPUT', 'Upload-Concat is not supported: send the file as one upload, not in parallel ones')
      }
      const length = parseByteCount(headerOf(request, 'upload-length'))
      const metadata = metadataOf(request)
      const name = call.text.endsWith('/') ? fileNameIn(metadata) : undefined
      const text = call.text + (name ?? '')
      const checksum = checksumOf(request)
      const properties = { length, metadata, override }
      await using upload =
        uploader.kind === 'visitor'
          ? await uploads.beginByLink(uploader, text, properties)
          : await uploads.begin(uploader, text, properties)
      requireCounts(request)
      let size = 0
      if (request.statedType === PART_TYPE) {
        size = await appendPart(request, upload, checksum)
        void reply.header('upload-offset', size)
      }
      request.effect = upload.placed
      if (upload.state.length > 0) void reply.headers(expiryHeader(upload.state, { size, touched: clock.now() }))
      void reply.headers({ location: addressOf(upload.id ?? '', name) })
      return await answer(reply.code(201), upload, '201 Created\n')
    },

    async describe(call: TusCall): Promise<FastifyReply> {
      const { uploader, text, request, reply } = call
      requireVersion(call)
      await using upload = await uploads.resume(uploader, text, { finishes: true })
      requireCounts(request)
      requireNotExpired(upload.state)
      const { offset, length, metadata } = upload.state
      void reply.headers({ 'cache-control': 'no-store', 'upload-offset': offset, 'upload-length': length })
      if (metadata !== undefined) void reply.header('upload-metadata', metadata)
      return await answer(reply.code(200), upload, '200 OK\n')
    },

    async append(call: TusCall): Promise<FastifyReply> {
      const { uploader, text, request, reply } = call
      requireVersion(call)
      const from = parseByteCount(headerOf(request, 'upload-offset'))
      await using upload = await uploads.resume(uploader, text, { from })
      if (request.statedType !== PART_TYPE) fail('UNSUPPORTED', `send the part as ${PART_TYPE}`)
      if (from === undefined) fail('INVALID_INPUT', 'invalid upload offset')
      const { offset, length, touched = clock.now() } = upload.state
      if (from > length) fail('INVALID_INPUT', `upload offset ${from} exceeds declared length ${length}`)
      const checksum = checksumOf(request)
      requireCounts(request)
      requireNotExpired(upload.state)
      if (from !== offset) {
        // A client that lost the last reply continues from here, without asking first.
        void reply.header('upload-offset', offset)
        fail('CONFLICT', REFUSED)
      }
      if (request.headers['upload-length'] !== undefined) fail('INVALID_INPUT', REFUSED)
      const reached = await appendPart(request, upload, checksum)
      void reply.header('upload-offset', reached)
      if (reached < length) void reply.headers(expiryHeader(upload.state, { size: reached, touched }))
      else request.endsUpload = true
      request.effect = upload.placed
      return await answer(reply.code(204), upload)
    },

    /** Not tus: the client sends the parts to the bucket, and asks until nothing is missing. */
    async direct({ uploader, text, request }: TusCall): Promise<DirectUpload> {
      await using upload = await uploads.resume(uploader, text, { finishes: true })
      requireNotExpired(upload.state)
      const { offset, length } = upload.state
      const parts = [...(await upload.parts())]
      if (upload.placed !== undefined) request.endsUpload = true
      request.effect = upload.placed
      return { offset, length, parts }
    },

    async discard(call: TusCall): Promise<FastifyReply> {
      const { uploader, text, request, reply } = call
      requireVersion(call)
      await using upload = await uploads.resume(uploader, text)
      requireCounts(request)
      await upload.discard()
      return await answer(reply.code(204), upload)
    },
  }
}

/** Clients of File Browser send no version. @throws PRECONDITION_FAILED for another version, and says which one there is */
function requireVersion({ request, reply }: TusCall): void {
  const version = headerOf(request, 'tus-resumable') ?? TUS_VERSION
  if (version === TUS_VERSION) return
  void reply.header('tus-version', TUS_VERSION)
  fail('PRECONDITION_FAILED', `tus ${TUS_VERSION} is spoken here, not ${version}`, { explained: true })
}

function expiryHeader(...upload: Parameters<typeof expiryOfUpload>) {
  return { 'upload-expires': new Date(expiryOfUpload(...upload)).toUTCString() }
}

async function answer(
  reply: FastifyReply,
  { isTimeHeld, linksParted }: LockedUpload,
  text?: string,
): Promise<FastifyReply> {
  void reply.headers(RESUMABLE)
  if (isTimeHeld) void reply.header('x-oc-mtime', 'accepted')
  if (linksParted) void reply.header('x-filemgr-links-parted', '1')
  return await reply.type('text/plain; charset=utf-8').send(text)
}

/**
 * The name of the file for clients that send all uploads to the address of a folder (a collection, in tus).
 *
 * @throws INVALID_INPUT if it is a path
 */
function fileNameIn(metadata: string | undefined): string | undefined {
  const bytes = metadataValue(metadata, 'filename') ?? metadataValue(metadata, 'name')
  const name = bytes === undefined ? '' : textOfBytes(bytes)
  if (name.includes('/')) fail('INVALID_INPUT', 'the filename in Upload-Metadata must be a name, not a path')
  return name === '' ? undefined : name
}

/** @throws INVALID_INPUT if an offset or length is present and not a plain decimal number */
function requireCounts(request: FastifyRequest): void {
  for (const name of ['upload-offset', 'upload-length']) {
    const text = headerOf(request, name)
    if (text !== undefined && !/^(0|[1-9]\d*)$/.test(text)) fail('INVALID_INPUT', REFUSED)
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** @throws INVALID_INPUT */
function checksumOf(request: FastifyRequest): PartChecksum | undefined {
  const text = headerOf(request, 'upload-checksum')
  return text === undefined ? undefined : parsePartChecksum(text)
}

/** Malformed metadata is ignored: old clients send arbitrary text. */
function metadataOf(request: FastifyRequest): string | undefined {
  const text = headerOf(request, 'upload-metadata')
  return text?.split(',').every((entry) => METADATA_ENTRY.test(entry)) === true ? text : undefined
}
