import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../services/downloads.ts'
import { sendArchive } from './send-archive.ts'
import { sendOriginal } from './send-original.ts'

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
  return await sendOriginal(request, reply, download.file, inline)
}
