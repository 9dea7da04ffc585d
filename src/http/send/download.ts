import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Archive, Download } from '../../services/files/downloads.ts'
import { mediaTypeOf, sniff, SNIFFED_BYTES } from '../../domain/files/media/media-type.ts'
import type { OpenFile } from '../../storage/storage.ts'
import { sendFile } from './file.ts'
import type { ArchiveFormat } from '../../domain/files/archive-format.ts'
import { continued, sendParts } from './send.ts'

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

const UNKNOWN_TYPE = 'application/octet-stream'

/** How a zip begins that has a member at least. */
const ZIP_MEMBER = Buffer.from('PK\x03\x04', 'latin1')

/**
 * Sends an archive while it is made. What fails before its first bytes is answered as an error; later an error can only cut
 * the connection, so that nobody takes a beginning for the whole.
 */
async function sendArchive(reply: FastifyReply, { name, format, parts }: Archive): Promise<FastifyReply> {
  const rest = parts[Symbol.asyncIterator]()
  const first = await rest.next()
  const start = first.done === true ? [] : [first.value]
  void reply.headers({
    'content-disposition': disposition('attachment', name),
    'content-type': archiveType(format, start[0]),
  })
  return await sendParts(reply, continued(start, rest))
}

/** As old clients see them: told by the first bytes, and those of a zip without members are known to none. */
function archiveType(format: ArchiveFormat, start: Uint8Array | undefined): string {
  if (format === 'targz') return 'application/x-gzip'
  return format === 'zip' && start && ZIP_MEMBER.equals(start.subarray(0, 4)) ? 'application/zip' : UNKNOWN_TYPE
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

/** Characters of a URL path segment that stay as they are; the rest is written as UTF-8 bytes in upper-case hex. */
const ALSO_ENCODED = /[!'()*,]/g
const KEPT = /%(?:24|26|2B|3A|3D|40)/g

/**
 * Content-Disposition with the name as an RFC 8187 value only. Clients of the original compare it; every browser in use
 * reads it, and without a second, quoted form there is nothing to inject a quote into.
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed())
    .replace(KEPT, decodeURIComponent)
    .replace(ALSO_ENCODED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename*=utf-8''${encoded}`
}
