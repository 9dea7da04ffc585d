import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenFile } from '../../storage/storage.ts'
import { etagOf, evaluateConditions, rangeApplies, type Validators } from './conditional.ts'
import { type ByteRange, decideRange, multipartRanges, type RangeDecision } from './ranges.ts'
import { sendBytes, sendPooled, sendStream } from './send.ts'

const NANOSECONDS = 1_000_000n
const NOTHING = new Uint8Array()

/** A file, or bytes that stand for one. */
export interface Sendable extends Pick<OpenFile, 'size' | 'modified' | 'small' | 'stream' | 'send'> {
  /** In place of that of a file, which counts its time and size. */
  readonly etag?: string
}

/** Bytes that were made of a file, with its time. @param modified in nanoseconds since 1970 */
export function sendableBytes(bytes: Uint8Array, modified: bigint, etag: string): Sendable {
  const part = (start: number, end: number) => Readable.from([bytes.subarray(start, end + 1)], { objectMode: false })
  return {
    size: bytes.length,
    modified,
    etag,
    small: async () => bytes,
    stream: part,
    send: async (destination, start, end) => await pipeline(part(start, end), destination, { end: false }),
  }
}

/** The facts that conditional headers are compared with. */
export function validatorsOf(file: Pick<Sendable, 'size' | 'modified' | 'etag'>): Validators {
  return { etag: file.etag ?? etagOf(file), modified: Number(file.modified / NANOSECONDS) }
}

/**
 * Answers with a file, parts of it, or only that it has not changed. Headers about its name and type are set by the
 * caller; resolves when all is sent, so that the file may be closed.
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: Sendable): Promise<FastifyReply> {
  const { headers } = request
  const validators = validatorsOf(file)
  void reply.headers({
    etag: validators.etag,
    'last-modified': new Date(validators.modified).toUTCString(),
    'cache-control': 'private, no-cache',
  })
  const condition = evaluateConditions(headers, validators)
  if (condition === 304) return await sendBytes(reply.removeHeader('content-type').code(304), NOTHING)
  if (condition === 412) return await reply.removeHeader('last-modified').code(412).send()

  const ranged = rangeApplies(oneOf(headers['if-range']), validators) ? headers.range : undefined
  const decision = decideRange(ranged, file.size)
  if (decision.kind === 'malformed' || decision.kind === 'unsatisfiable') return await refuse(reply, decision, file)
  void reply.header('accept-ranges', 'bytes')
  if (decision.kind === 'whole') return await sendPart(reply, file, { start: 0, end: file.size - 1 })
  return await sendRanges(reply, file, decision.ranges)
}

async function sendRanges(reply: FastifyReply, file: Sendable, ranges: readonly ByteRange[]): Promise<FastifyReply> {
  void reply.code(206)
  const [first] = ranges
  if (first !== undefined && ranges.length === 1) {
    void reply.header('content-range', `bytes ${first.start}-${first.end}/${file.size}`)
    return await sendPart(reply, file, first)
  }
  const partType = String(reply.getHeader('content-type'))
  const { type, length, body } = multipartRanges(file, ranges, partType, randomBytes(30).toString('hex'))
  void reply.headers({ 'content-type': type, 'content-length': length })
  return await sendStream(reply, body)
}

async function sendPart(reply: FastifyReply, file: Sendable, { start, end }: ByteRange): Promise<FastifyReply> {
  void reply.header('content-length', end - start + 1)
  const whole = await file.small()
  if (whole !== undefined) return await sendBytes(reply, whole.subarray(start, end + 1))
  return await sendPooled(reply, file, { start, end })
}

function refuse(reply: FastifyReply, { kind }: RangeDecision, { size }: Sendable): FastifyReply {
  void reply.code(416).removeHeader('cache-control').removeHeader('last-modified').removeHeader('etag')
  void reply.type('text/plain; charset=utf-8')
  if (kind === 'malformed') return reply.send('invalid range\n')
  return reply.header('content-range', `bytes */${size}`).send('invalid range: failed to overlap\n')
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
