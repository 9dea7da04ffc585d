import type { FastifyReply, FastifyRequest } from 'fastify'
import { SNIFFED_BYTES } from '../domain/media/media-type.ts'
import type { OpenFile } from '../storage/storage.ts'
import { disposition } from './protocol/disposition.ts'
import { inlineContent } from './protocol/inline-content.ts'
import { sendFile } from './send-file.ts'
/** A user's file as it is: to be saved, or with inline=true to be shown as far as that is safe. */
export async function sendOriginal(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  inline: boolean,
): Promise<FastifyReply> {
  announceFile(reply, file.name, inline)
  if (inline) showInline(reply, file.name, await file.head(SNIFFED_BYTES))
  else void reply.header('content-type', 'application/octet-stream')
  return await sendFile(request, reply, file)
}

/** The header that says under which name, and whether to show or to save. */
export function announceFile(reply: FastifyReply, name: string, inline: boolean): void {
  void reply.header('content-disposition', disposition(inline ? 'inline' : 'attachment', name))
}

/** @param head first bytes, which tell the type where the name does not */
export function showInline(reply: FastifyReply, name: string, head: Uint8Array, mediaType?: string): void {
  const { type, policy } = inlineContent(name, head, mediaType)
  void reply.headers({
    'content-type': type,
    'content-security-policy': policy,
    // Our own page shows documents in a frame.
    'x-frame-options': 'SAMEORIGIN',
  })
}
