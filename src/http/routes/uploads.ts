import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../api/operation.ts'
import { appendUpload, beginUpload, discardUpload, getUpload } from '../../api/files/uploads.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'
import { CHECKSUMS } from '../../domain/files/resource.ts'
import { parseByteCount, parsePartChecksum, type PartChecksum } from '../../domain/files/upload.ts'
import type { LockedUpload, UploadState } from '../../services/uploads/locked-upload.ts'
import { UPLOAD_IDLE } from '../../services/uploads/open-uploads.ts'
import { mount, type Handler } from '../mount.ts'
import { stopSignalOf } from '../plugins/authentication.ts'
import { splitTarget } from '../protocol/request-path.ts'

const PART_TYPE = 'application/offset+octet-stream'
const RESUMABLE = { 'tus-resumable': '1.0.0' }
const CAPABILITIES = {
  ...RESUMABLE,
  'tus-version': '1.0.0',
  'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
  'tus-checksum-algorithm': CHECKSUMS.join(','),
}

/** For the routes by which an expired session may continue its own uploads. */
const ALLOWS_EXPIRED = { allowsExpiredSession: true } as const

/**
 * One entry of `Upload-Metadata`: "name base64" or "name". Entries are matched one by one: a pattern for the whole list would be
 * ambiguous for each space, so that a short header could block the server (ReDoS).
 */
const METADATA_ENTRY = /^ ?[!-+\--~]+( [A-Za-z0-9+/=]*)? ?$/

const REFUSED = 'the upload does not allow this request'

/** Resumable uploads by tus 1.0 (https://tus.io/protocols/resumable-upload). Clients need not send `Tus-Resumable`. */
export function tusRoutes(app: FastifyInstance, { services: { uploads }, clock }: Context): void {
  const expiryAfter = (time: number) => ({ 'upload-expires': new Date(time + UPLOAD_IDLE).toUTCString() })

  const requireNotExpired = ({ touched }: UploadState): void => {
    if (touched !== undefined && clock.now() > touched + UPLOAD_IDLE) fail('NOT_FOUND', REFUSED)
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

  mount(app, beginUpload, async ({ actor, params, query, request, reply }) => {
    // If the header were ignored, the last part of a concatenation would replace the whole target.
    if (request.headers['upload-concat'] !== undefined) {
      fail('INVALID_INPUT', 'Upload-Concat is not supported: send the file as one upload, not in parallel ones')
    }
    const length = parseByteCount(headerOf(request, 'upload-length'))
    const metadata = metadataOf(request)
    const checksum = checksumOf(request)
    const wanted = { length, metadata, override: query.override === 'true' }
    await using upload = await uploads.begin(actor, `/${params['*']}`, wanted)
    requireCounts(request)
    if (request.statedType === PART_TYPE)
      void reply.header('upload-offset', await appendPart(request, upload, checksum))
    request.effect = upload.placed
    if (upload.state.length > 0) void reply.headers(expiryAfter(clock.now()))
    void reply.headers({ location: new URL(splitTarget(request.raw.url ?? '/').path, 'http://localhost').pathname })
    return await answer(reply.code(201), upload, '201 Created\n')
  })

  const describe = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const actor = request.actor ?? fail('UNAUTHENTICATED', 'sign in first')
    const path = `/${(request.params as Record<string, string>)['*'] ?? ''}`
    await using upload = await uploads.resume(actor, path, { settle: true })
    requireCounts(request)
    requireNotExpired(upload.state)
    const { offset, length, metadata } = upload.state
    void reply.headers({ 'cache-control': 'no-store', 'upload-offset': offset, 'upload-length': length })
    if (metadata !== undefined) void reply.header('upload-metadata', metadata)
    return await answer(reply.code(200), upload, '200 OK\n')
  }
  mount(app, getUpload, async ({ request, reply }) => await describe(request, reply))
  const { path: url } = getUpload
  app.route({
    url,
    method: 'HEAD',
    config: { operation: getUpload, access: 'user', ...ALLOWS_EXPIRED },
    handler: describe,
  })

  const append: Handler<typeof appendUpload> = async ({ actor, params, request, reply }) => {
    const from = parseByteCount(headerOf(request, 'upload-offset'))
    await using upload = await uploads.resume(actor, `/${params['*']}`, { from })
    if (request.statedType !== PART_TYPE) fail('UNSUPPORTED', `send the part as ${PART_TYPE}`)
    if (from === undefined) fail('INVALID_INPUT', 'invalid upload offset')
    const { offset, length, touched = clock.now() } = upload.state
    if (from > length) fail('INVALID_INPUT', `upload offset ${from} exceeds declared length ${length}`)
    const checksum = checksumOf(request)
    requireCounts(request)
    requireNotExpired(upload.state)
    if (from !== offset) fail('CONFLICT', REFUSED)
    if (request.headers['upload-length'] !== undefined) fail('INVALID_INPUT', REFUSED)
    const reached = await appendPart(request, upload, checksum)
    void reply.header('upload-offset', reached)
    if (reached < length) void reply.headers(expiryAfter(touched))
    else request.endsUpload = true
    request.effect = upload.placed
    return await answer(reply.code(204), upload)
  }
  mount(app, appendUpload, append, ALLOWS_EXPIRED)

  const discard: Handler<typeof discardUpload> = async ({ actor, params, request, reply }) => {
    await using upload = await uploads.resume(actor, `/${params['*']}`)
    requireCounts(request)
    await upload.discard()
    return await answer(reply.code(204), upload)
  }
  mount(app, discardUpload, discard, ALLOWS_EXPIRED)

  const operation: Operation = beginUpload
  app.route({
    url,
    method: 'OPTIONS',
    config: { operation, access: 'public' },
    handler: async (_request, reply) => await reply.code(204).headers(CAPABILITIES).send(),
  })
}

async function answer(reply: FastifyReply, { linksParted }: LockedUpload, text?: string): Promise<FastifyReply> {
  void reply.headers(RESUMABLE)
  if (linksParted) void reply.header('x-filemgr-links-parted', '1')
  return await reply.type('text/plain; charset=utf-8').send(text)
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
