import type { FastifyInstance } from 'fastify'
import { getPreview } from '../../api/previews.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'
import { mount } from '../mount.ts'
import { evaluateConditions } from '../protocol/conditional.ts'
import { sendableBytes, sendFile, validatorsOf } from '../send-file.ts'
import { announceFile, sendOriginal, showInline } from '../send-original.ts'

const NOTHING = new Uint8Array()

export function previewRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getPreview, async ({ actor, params, query, signal, request, reply }) => {
    const { headers } = request
    const inline = query.inline === 'true'
    const question = { size: params.size, accept: headers.accept }
    await using preview = await services.previews.open(actor, `/${params['*']}`, question)
    announceFile(reply, preview.name, inline)
    if (preview.kind === 'none') fail('NOT_IMPLEMENTED', 'there is no preview of this')
    if (preview.kind === 'original') return await sendOriginal(request, reply, preview.file, inline)

    const { name, modified, id, mediaType } = preview
    const etag = `"${id}"`
    // A client that has it already is answered without making it.
    const isWanted = evaluateConditions(headers, validatorsOf({ size: 0, modified, etag })) === 'send'
    const bytes = isWanted ? await preview.bytes(signal) : NOTHING
    void reply.header('vary', 'Accept')
    if (inline) showInline(reply, name, bytes, mediaType)
    else void reply.header('content-type', 'application/octet-stream')
    return await sendFile(request, reply, sendableBytes(bytes, modified, etag))
  })
}
