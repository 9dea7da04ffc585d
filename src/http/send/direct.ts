import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mediaTypeOf, SNIFFED_BYTES } from '../../domain/files/media/media-type.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import { PRIVATE } from '../plugins/security-headers.ts'
import '../route-config.ts'
import { disposition, BYTES, inlineContent } from './disposition.ts'

/** Bytes; a smaller file is sent sooner than a client follows a redirect. */
const LARGE = 8 * 1024 * 1024

/** Headers about our ETag, or about a part of the file, which the client may have from us. */
const PARTIAL = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'] as const

/** How a file is sent. */
export interface Sending {
  /** To display it in the browser, as far as that is safe, instead of saving it. */
  readonly inline: boolean
  /** The client asks for the address of the bucket. */
  readonly wantsDirect: boolean
  /** We must send all bytes ourselves: an address of the bucket could be used several times, and be passed on. */
  readonly isWatched?: boolean
}

/**
 * The address of the bucket where the client gets a file, after all checks; undefined to send it ourselves. All of this must hold:
 *
 * - The bucket is open to browsers, and the file large and requested as a whole.
 * - The client follows redirects to another host and sends it no secret: a browser that follows a link, or a program that asks for
 *   it. Not pictures, films and frames of our page, whose policy allows no other host.
 * - No link counts the downloads, or is only for viewing.
 * - The file is saved, or has a type without scripts: the bucket sends no policy of ours.
 */
export async function directAddress(
  request: FastifyRequest,
  file: OpenFile,
  { inline, wantsDirect, isWatched = false }: Sending,
): Promise<string | undefined> {
  const { method, headers, visit } = request
  if (file.direct === undefined || file.size < LARGE || method !== 'GET' || isWatched) return undefined
  if (PARTIAL.some((name) => headers[name] !== undefined)) return undefined
  if (!wantsDirect && !isNavigation(headers)) return undefined
  const type = inline ? await harmlessType(file) : BYTES
  if (type === undefined) return undefined
  return await file.direct({
    type,
    disposition: disposition(inline ? 'inline' : 'attachment', file.name),
    cacheControl: visit === undefined ? 'private, no-cache' : PRIVATE['cache-control'],
  })
}

/** A person follows a link in a browser, also one with the attribute "download". */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination = '' } = headers
  const isWindow = mode === 'navigate' && ['document', 'empty'].includes(destination)
  return isWindow && headers['x-auth'] === undefined
}

async function harmlessType(file: OpenFile): Promise<string | undefined> {
  const head = mediaTypeOf(file.name) === undefined ? await file.head(SNIFFED_BYTES) : new Uint8Array()
  const { type, isHarmless } = inlineContent(file.name, head)
  return isHarmless ? type : undefined
}

/** @throws the error that ended the request: the permission was lost while the address was made */
export async function redirectToBucket(
  { requestEnd }: FastifyRequest,
  reply: FastifyReply,
  location: string,
): Promise<FastifyReply> {
  if (requestEnd?.error !== undefined) throw requestEnd.error
  void reply.code(302).headers({ location, 'cache-control': 'no-store' })
  return await reply.type('text/plain; charset=utf-8').send('Found\n')
}
