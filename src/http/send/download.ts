import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../../services/files/downloads.ts'
import { mediaTypeOf, SNIFFED_BYTES } from '../../domain/files/media/media-type.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import { sendArchive } from './archive.ts'
import { directAddress, redirectToBucket, type Sending } from './direct.ts'
import { disposition, BYTES, inlineContent } from './disposition.ts'
import { sendFile } from './file.ts'

/** Sends a file or an archive, or the address of the bucket where the file is; resolves once everything is sent. */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
  sending: Sending,
): Promise<FastifyReply> {
  if (download.kind === 'archive') return await sendArchive(request, reply, download.archive)
  const { file } = download
  const location = await directAddress(request, file, sending)
  if (location !== undefined) return await redirectToBucket(request, reply, location)
  return await sendOriginal(request, reply, file, sending.inline)
}

/**
 * True for the first request of a download. Media players and download managers also request many later parts, and a page shows
 * pictures in its lists. A client that only claims to do so gets no more than previews would show it.
 *
 * @param shown the name of the file if the browser is to display it, not to save it
 */
export function beginsDownload(
  { method, headers: { range, accept } }: FastifyRequest,
  shown: string | undefined,
): boolean {
  const isPicture = shown !== undefined && mediaTypeOf(shown)?.startsWith('image/') === true
  if (isPicture && accept?.startsWith('image/') === true) return false
  return method === 'GET' && (range === undefined || range.startsWith('bytes=0-'))
}

const NOTHING = new Uint8Array()

/** Sends a file unchanged. @param inline to display it in the browser, as far as that is safe, instead of saving it */
export async function sendOriginal(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  inline: boolean,
): Promise<FastifyReply> {
  announceFile(reply, file.name, inline)
  if (!inline) return await sendFile(request, reply, file, BYTES)
  const type = showInline(reply, file.name, mediaTypeOf(file.name) ? NOTHING : await file.head(SNIFFED_BYTES))
  return await sendFile(request, reply, file, type)
}

/** Sets Content-Disposition. */
export function announceFile(reply: FastifyReply, name: string, inline: boolean): void {
  void reply.header('content-disposition', disposition(inline ? 'inline' : 'attachment', name))
}

/**
 * Sets the policy for displaying a file, and returns its type.
 *
 * @param head first bytes, to detect the type if the name is unknown
 */
export function showInline(reply: FastifyReply, name: string, head: Uint8Array, mediaType?: string): string {
  const { type, policy } = inlineContent(name, head, mediaType)
  // Our own page shows documents in a frame.
  void reply.headers({ 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' })
  return type
}
