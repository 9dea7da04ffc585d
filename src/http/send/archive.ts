import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ArchiveFormat } from '../../domain/files/archives/archive-format.ts'
import type { Archive } from '../../services/files/downloads.ts'
import { continuesSame, evaluateConditions } from './conditional.ts'
import { disposition } from './disposition.ts'
import { type ByteRange, decideRange } from './ranges.ts'
import { continued, sendHead, sendParts } from './send.ts'

/** Size of a zip without entries, in bytes. */
const EMPTY_ZIP = 22
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Streams an archive. An error before the first bytes gets an error reply; a later one cuts the connection, so that the client
 * does not mistake a partial archive for a complete one.
 */
export async function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, format, content }: Archive,
): Promise<FastifyReply> {
  const head: OutgoingHttpHeaders = { 'content-disposition': disposition('attachment', name) }
  if (content === undefined) return await sendHead(reply.headers({ ...head, 'content-type': typeOf(format) }))
  const { known } = content
  if (known === undefined) {
    head['content-type'] = typeOf(format)
    return await sendContent(reply, head, content.parts())
  }
  const { size } = known
  const etag = `"${known.fingerprint}"`
  const condition = evaluateConditions(request.headers, { etag })
  if (condition !== 'send') return await reply.code(condition).header('etag', etag).send()

  // Like the original, which sniffs the first bytes and does not recognize those of an empty zip.
  Object.assign(head, { etag, 'content-type': size > EMPTY_ZIP ? typeOf('zip') : UNKNOWN_TYPE })
  const range = rangeOf(request.headers, etag, size)
  if (range === 'unsatisfiable') return await reply.code(416).header('content-range', `bytes */${size}`).send()
  if (range === undefined) return await sendContent(reply, { ...head, 'content-length': size }, content.parts())
  const { start, end } = range
  void reply.code(206)
  const ranged = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 }
  return await sendContent(reply, { ...head, ...ranged }, content.parts({ start, end: end + 1 }))
}

function typeOf(format: ArchiveFormat): string {
  if (format === 'zip') return 'application/zip'
  return format === 'targz' ? 'application/x-gzip' : UNKNOWN_TYPE
}

/** The requested range; undefined for the whole. Multiple ranges are ignored: resuming a download needs only one. */
function rangeOf(headers: IncomingHttpHeaders, etag: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  if (!continuesSame(headers, etag)) return undefined
  const decision = decideRange(headers.range, size)
  if (decision.kind === 'unsatisfiable') return 'unsatisfiable'
  return decision.kind === 'parts' && decision.ranges.length === 1 ? decision.ranges[0] : undefined
}

async function sendContent(
  reply: FastifyReply,
  head: OutgoingHttpHeaders,
  parts: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  const rest = parts[Symbol.asyncIterator]()
  const first = await rest.next()
  void reply.headers(head)
  return await sendParts(reply, continued(first.done === true ? [] : [first.value], rest))
}
