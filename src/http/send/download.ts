import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../../services/files/downloads.ts'
import { mediaTypeOf, sniff, SNIFFED_BYTES } from '../../domain/files/media/media-type.ts'
import type { OpenFile } from '../../storage/storage.ts'
import { sendArchive } from './archive.ts'
import { disposition } from './disposition.ts'
import { sendFile } from './file.ts'

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
  if (download.kind === 'archive') return await sendArchive(request, reply, download.archive)
  return await sendOriginal(request, reply, download.file, inline)
}

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

/** Types that a browser shows without running anything of them. */
const HARMLESS = /^(image\/(png|jpeg|gif|webp|avif)|audio\/.*|video\/.*|application\/pdf|text\/plain)$/
const SCRIPT = /(java|ecma|live|j)script$/

const SHOWN_AS_IT_IS = "script-src 'none'; frame-ancestors 'self'"
/** Everything else gets an origin of its own and no scripts, or an uploaded SVG or page would act as its viewer (CVE-2021-37794). */
const SANDBOXED =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'self'"

export interface InlineContent {
  readonly type: string
  readonly policy: string
}

/** How a user's file is shown in the browser: its type by our table, else by its first bytes, and what it may do. */
export function inlineContent(name: string, head: Uint8Array, mediaType = mediaTypeOf(name)): InlineContent {
  const known = mediaType ?? sniff(head)
  const essence = known.split(';')[0]?.trim() ?? known
  // Never a script type: our own page could be made to load the file as a script.
  const type = SCRIPT.test(essence) ? 'text/plain' : essence
  return {
    type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    policy: HARMLESS.test(type) ? SHOWN_AS_IT_IS : SANDBOXED,
  }
}
