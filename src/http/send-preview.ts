import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../domain/errors.ts'
import type { Preview } from '../services/previews.ts'
import { evaluateConditions } from './protocol/conditional.ts'
import { sendableBytes, sendFile, validatorsOf } from './send-file.ts'
import { announceFile, sendOriginal, showInline } from './send-original.ts'

const NOTHING = new Uint8Array()

/** A file shown small, unless the client has it already. @throws NOT_IMPLEMENTED, and what making it throws */
export async function sendPreview(
  request: FastifyRequest,
  reply: FastifyReply,
  preview: Preview,
  { inline, signal }: { readonly inline: boolean; readonly signal: AbortSignal },
): Promise<FastifyReply> {
  announceFile(reply, preview.name, inline)
  if (preview.kind === 'none') fail('NOT_IMPLEMENTED', 'there is no preview of this')
  if (preview.kind === 'original') return await sendOriginal(request, reply, preview.file, inline)

  const { name, modified, id, mediaType } = preview
  const etag = `"${id}"`
  // A client that has it already is answered without making it.
  const isWanted = evaluateConditions(request.headers, validatorsOf({ size: 0, modified, etag })) === 'send'
  const bytes = isWanted ? await preview.bytes(signal) : NOTHING
  void reply.header('vary', 'Accept')
  if (inline) showInline(reply, name, bytes, mediaType)
  else void reply.header('content-type', 'application/octet-stream')
  return await sendFile(request, reply, sendableBytes(bytes, modified, etag))
}
