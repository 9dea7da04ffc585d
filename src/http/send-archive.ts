import type { FastifyReply } from 'fastify'
import type { ArchiveFormat } from '../domain/archive-format.ts'
import type { Archive } from '../services/archives.ts'
import { disposition } from './protocol/disposition.ts'
import { continued, sendParts } from './send.ts'

const BYTES = 'application/octet-stream'

/** How a zip begins that has a member at least. */
const ZIP_MEMBER = Buffer.from('PK\x03\x04', 'latin1')

/**
 * Sends an archive while it is made. What fails before its first bytes is answered as an error; later an error can only cut
 * the connection, so that nobody takes a beginning for the whole.
 */
export async function sendArchive(reply: FastifyReply, { name, format, parts }: Archive): Promise<FastifyReply> {
  const rest = parts[Symbol.asyncIterator]()
  const first = await rest.next()
  const start = first.done === true ? [] : [first.value]
  void reply.headers({
    'content-disposition': disposition('attachment', name),
    'content-type': typeOf(format, start[0]),
  })
  return await sendParts(reply, continued(start, rest))
}

/** As old clients see them: told by the first bytes, and those of a zip without members are known to none. */
function typeOf(format: ArchiveFormat, start: Uint8Array | undefined): string {
  if (format === 'targz') return 'application/x-gzip'
  return format === 'zip' && start && ZIP_MEMBER.equals(start.subarray(0, 4)) ? 'application/zip' : BYTES
}
