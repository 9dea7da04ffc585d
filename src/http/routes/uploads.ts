import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { appendUpload, beginUpload, discardUpload, getUpload } from '../../api/uploads.ts'
import type { Operation } from '../../api/operation.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'
import { CHECKSUMS } from '../../domain/resource.ts'
import { parseByteCount, parsePartChecksum, type PartChecksum } from '../../domain/upload.ts'
import { type Handler, mount } from '../mount.ts'
import { createTusProtocol, PART_TYPE } from '../tus/tus-protocol.ts'

const CAPABILITIES = {
  'tus-resumable': '1.0.0',
  'tus-version': '1.0.0',
  'tus-extension': 'creation,creation-with-upload,termination,expiration,checksum',
  'tus-checksum-algorithm': CHECKSUMS.join(','),
}

/** A session that has expired may go on with its own upload by these, and by nothing else. */
const LATE = { late: true } as const

/**
 * One of "name base64, name": what a client keeps with an upload. Of the whole list an expression could read each space in two
 * ways, and a short header would hold the server for ever.
 */
const METADATA_ENTRY = /^ ?[!-+\--~]+( [A-Za-z0-9+/=]*)? ?$/

/** Resumable uploads (https://tus.io/protocols/resumable-upload). Clients need not say `Tus-Resumable`. */
export function tusRoutes(app: FastifyInstance, { services: { uploads } }: Context): void {
  const protocol = createTusProtocol()

  mount(app, beginUpload, async ({ actor, params, query, request, reply }) => {
    // Taken as a whole upload, the last of its parts would replace the target.
    if (request.headers['upload-concat'] !== undefined) {
      fail('INVALID_INPUT', 'Upload-Concat is not supported: send the file as one upload, not in parallel ones')
    }
    const length = parseByteCount(headerOf(request, 'upload-length'))
    const metadata = metadataOf(request)
    const checksum = checksumOf(request)
    const wanted = { length, metadata, override: query.override === 'true' }
    await using upload = await uploads.begin(actor, `/${params['*']}`, wanted)
    await protocol.answer(request, reply, upload, checksum)
    return await sendPlain(reply, '201 Created\n')
  })

  const tell = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const actor = request.actor ?? fail('UNAUTHENTICATED', 'sign in first')
    const path = `/${(request.params as Record<string, string>)['*'] ?? ''}`
    await using upload = await uploads.resume(actor, path, { settle: true })
    await protocol.answer(request, reply, upload)
    const { metadata } = upload.state
    if (metadata !== undefined) void reply.header('upload-metadata', metadata)
    return await sendPlain(reply, '200 OK\n')
  }
  mount(app, getUpload, async ({ request, reply }) => await tell(request, reply))
  const capabilitiesOf: Operation = beginUpload
  const { path: url } = getUpload
  app.route({ url, method: 'HEAD', config: { operation: getUpload, access: 'user', ...LATE }, handler: tell })

  const append: Handler<typeof appendUpload> = async ({ actor, params, request, reply }) => {
    const offset = parseByteCount(headerOf(request, 'upload-offset'))
    await using upload = await uploads.resume(actor, `/${params['*']}`, { from: offset })
    if (request.statedType !== PART_TYPE) fail('UNSUPPORTED', `send the part as ${PART_TYPE}`)
    if (offset === undefined) fail('INVALID_INPUT', 'invalid upload offset')
    const { length } = upload.state
    if (offset > length) fail('INVALID_INPUT', `upload offset ${offset} exceeds declared length ${length}`)
    await protocol.answer(request, reply, upload, checksumOf(request))
    if (reply.getHeader('upload-offset') === String(length)) request.endsUpload = true
    return await sendPlain(reply)
  }
  mount(app, appendUpload, append, LATE)

  const discard: Handler<typeof discardUpload> = async ({ actor, params, request, reply }) => {
    await using upload = await uploads.resume(actor, `/${params['*']}`)
    await protocol.answer(request, reply, upload)
    return await sendPlain(reply)
  }
  mount(app, discardUpload, discard, LATE)

  app.route({
    url,
    method: 'OPTIONS',
    config: { operation: capabilitiesOf, access: 'public' },
    handler: async (_request, reply) => await reply.code(204).headers(CAPABILITIES).send(),
  })
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

/** Old clients send anything there: what is none is passed over, as it always was. */
function metadataOf(request: FastifyRequest): string | undefined {
  const text = headerOf(request, 'upload-metadata')
  return text?.split(',').every((entry) => METADATA_ENTRY.test(entry)) === true ? text : undefined
}

async function sendPlain(reply: FastifyReply, text?: string): Promise<FastifyReply> {
  return await reply.type('text/plain; charset=utf-8').send(text)
}
