import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Archive } from '../../services/files/downloads.ts'
import { continuesSame, evaluateConditions } from './conditional.ts'
import { disposition } from './disposition.ts'
import { type ByteRange, decideRange } from './ranges.ts'
import { continued, sendParts } from './send.ts'

/** Bytes of a zip without members. */
const EMPTY_ZIP = 22
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Sends an archive while it is made. What fails before its first bytes is answered as an error; later an error can only cut
 * the connection, so that a client does not take the beginning for the whole.
 */
export async function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, format, content }: Archive,
): Promise<FastifyReply> {
  const head: OutgoingHttpHeaders = { 'content-disposition': disposition('attachment', name) }
  const { known } = content
  if (known === undefined) {
    head['content-type'] = format === 'targz' ? 'application/x-gzip' : UNKNOWN_TYPE
    return await sendContent(reply, head, content.parts())
  }
  const { size } = known
  const etag = `"${known.fingerprint}"`
  const condition = evaluateConditions(request.headers, { etag })
  if (condition !== 'send') return await reply.code(condition).header('etag', etag).send()

  // As old clients see it: told by the first bytes, and those of a zip without members are known to none.
  Object.assign(head, { etag, 'content-type': size > EMPTY_ZIP ? 'application/zip' : UNKNOWN_TYPE })
  const range = rangeOf(request.headers, etag, size)
  if (range === 'unsatisfiable') return await reply.code(416).header('content-range', `bytes */${size}`).send()
  if (range === undefined) return await sendContent(reply, { ...head, 'content-length': size }, content.parts())
  const { start, end } = range
  void reply.code(206)
  const ranged = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 }
  return await sendContent(reply, { ...head, ...ranged }, content.parts({ start, end: end + 1 }))
}

/** The part that is wanted; undefined for the whole. Several parts at once are of no use to who resumes a download. */
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
