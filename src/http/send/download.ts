import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from '../../services/files/downloads.ts'
import { mediaTypeOf, sniff, SNIFFED_BYTES } from '../../domain/files/media/media-type.ts'
import type { OpenFile } from '../../storage/storage.ts'
import { sendArchive } from './archive.ts'
import { disposition } from './disposition.ts'
import { sendFile } from './file.ts'

/**
 * Sends a file or an archive; resolves once everything is sent.
 *
 * @param inline to display it in the browser, as far as that is safe, instead of saving it
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

/** True if the request reads a file from its beginning. Media players and download managers also request many later parts. */
export function isFirstPart({ method, headers: { range } }: FastifyRequest): boolean {
  return method === 'GET' && (range === undefined || range.startsWith('bytes=0-'))
}

/** The type of a file that is to be saved. */
export const BYTES = 'application/octet-stream'
const NOTHING = new Uint8Array()

/** Sends a file unchanged. @param inline as for `sendDownload` */
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

/** Types that cannot contain scripts. */
const HARMLESS = /^(image\/(png|jpeg|gif|webp|avif)|audio\/.*|video\/.*|application\/pdf|text\/plain)$/
const SCRIPT = /(java|ecma|live|j)script$/

const UNRESTRICTED = "script-src 'none'; frame-ancestors 'self'"
/** Others get an opaque origin and no scripts: an uploaded SVG or page could otherwise act as its viewer (CVE-2021-37794). */
const SANDBOXED =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; frame-ancestors 'self'"

export interface InlineContent {
  readonly type: string
  readonly policy: string
}

/** The Content-Type, by name or else by the first bytes, and the policy for displaying a user's file. */
export function inlineContent(name: string, head: Uint8Array, mediaType = mediaTypeOf(name)): InlineContent {
  const known = mediaType ?? sniff(head)
  const essence = known.split(';')[0]?.trim() ?? known
  // Never a script type: our own page could be made to load the file as a script.
  const type = SCRIPT.test(essence) ? 'text/plain' : essence
  return {
    type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    policy: HARMLESS.test(type) ? UNRESTRICTED : SANDBOXED,
  }
}
