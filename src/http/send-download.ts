import type { FastifyReply, FastifyRequest } from 'fastify'
import { SNIFFED_BYTES } from '../domain/media-type.ts'
import type { Download } from '../services/downloads.ts'
import type { OpenFile } from '../storage/storage.ts'
import { disposition } from './protocol/disposition.ts'
import { inlineContent } from './protocol/inline-content.ts'
import { sendArchive } from './send-archive.ts'
import { sendFile } from './send-file.ts'

/**
 * Answers with a file or an archive; resolves when all is sent.
 *
 * @param inline to be shown, as far as that is safe, and not saved
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
  inline: boolean,
): Promise<FastifyReply> {
  if (download.kind === 'archive') return await sendArchive(reply, download.archive)
  if (inline) await showInline(reply, download.file)
  else saveAsFile(reply, download.file)
  return await sendFile(request, reply, download.file)
}

function saveAsFile(reply: FastifyReply, { name }: OpenFile): void {
  void reply.headers({
    'content-disposition': disposition('attachment', name),
    'content-type': 'application/octet-stream',
  })
}

async function showInline(reply: FastifyReply, file: OpenFile): Promise<void> {
  const { type, policy } = inlineContent(file.name, await file.head(SNIFFED_BYTES))
  void reply.headers({
    'content-disposition': disposition('inline', file.name),
    'content-type': type,
    'content-security-policy': policy,
    // Our own page shows documents in a frame.
    'x-frame-options': 'SAMEORIGIN',
  })
}
