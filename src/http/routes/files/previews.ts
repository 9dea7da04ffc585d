import type { FastifyInstance, FastifyReply } from 'fastify'
import { getPreview } from '../../../api/files/previews.ts'
import type { Context } from '../../../context.ts'
import { mount, type Call } from '../../mount.ts'
import type { Operation } from '../../../api/operation.ts'
import { evaluateConditions } from '../../send/conditional.ts'
import { sendableBytes, sendFile, validatorsOf } from '../../send/file.ts'
import { announceFile, sendOriginal, showInline } from '../../send/download.ts'
import { BYTES } from '../../send/disposition.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { DRAWING } from '../../../services/files/previews/preview-plan.ts'
import type { Preview } from '../../../services/files/previews/previews.ts'

export function previewRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getPreview, async (call) => {
    const { actor, params, query, request } = call
    const format = { size: params.size, accept: request.headers.accept }
    await using preview = await services.previews.open(actor, `/${params['*']}`, format)
    return await sendPreview(call, preview, query.inline === 'true')
  })
}

const NOTHING = new Uint8Array()

/**
 * Sends a preview, 304 if the client has it, or 204 if there is none and the client is a browser, which would report an error.
 *
 * @throws NOT_IMPLEMENTED if there is none; errors of creating it
 */
export async function sendPreview(
  call: Pick<Call<Operation>, 'request' | 'reply' | 'signal'>,
  preview: Preview,
  inline: boolean,
): Promise<FastifyReply> {
  try {
    return await sendPicture(call, preview, inline)
  } catch (error) {
    const isBrowser = inline && call.request.headers.accept?.includes(DRAWING) === true
    if (!isBrowser || !isFilemgrError(error, 'NOT_IMPLEMENTED')) throw error
    return await call.reply.code(204).send()
  }
}

async function sendPicture(
  call: Pick<Call<Operation>, 'request' | 'reply' | 'signal'>,
  preview: Preview,
  inline: boolean,
): Promise<FastifyReply> {
  const { request, reply } = call
  announceFile(reply, preview.name, inline)
  if (preview.kind === 'none') fail('NOT_IMPLEMENTED', 'there is no preview of this')
  if (preview.kind === 'original') return await sendOriginal(request, reply, preview.file, inline)

  const { name, modified, id, mediaType } = preview
  const etag = `"${id}"`
  // A client that has the preview gets 304 without creating it again.
  const mustSend = evaluateConditions(request.headers, validatorsOf({ size: 0, modified, etag })) === 'send'
  const bytes = mustSend ? await preview.bytes(call.signal) : NOTHING
  void reply.header('vary', 'Accept')
  const type = inline ? showInline(reply, name, bytes, mediaType) : BYTES
  return await sendFile(request, reply, sendableBytes(bytes, modified, etag), type)
}
