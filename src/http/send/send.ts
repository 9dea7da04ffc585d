import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { writePart } from '../../platform/network/write-part.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import { PRIVATE } from '../plugins/security-headers.ts'
import { encoderFor, MIN_COMPRESSED, sendCompressed } from './compressed.ts'
import type { ByteRange } from './ranges.ts'
import '../route-config.ts'

/**
 * Sends a stream and waits for its end, so that its source can be closed afterwards. It also ends if the client disconnects; an
 * error cuts the connection.
 */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<FastifyReply> {
  if (isHead(reply)) {
    stream.destroy()
    return await sendHead(reply)
  }
  const over = finished(stream, { cleanup: true }).catch((error: unknown) => reportCutOff(reply, error))
  void reply.send(stream)
  await over
  return await reply
}

function isHead({ request }: FastifyReply): boolean {
  return request.method === 'HEAD'
}

/** Answers a HEAD request with the headers that are set. */
export function sendHead(reply: FastifyReply): FastifyReply {
  return sendBytes(reply, NOTHING)
}

const NOTHING = new Uint8Array()

/** Bytes; above this, headers and body are written separately, since joining them copies the body. */
const ONE_WRITE = 16 * 1024

/** Sends a small body together with its headers in one write; the framework would need two. */
export function sendBytes(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  const raw = begin(reply)
  if (bytes.length > ONE_WRITE) raw.end(bytes)
  else raw.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), 'latin1')
  return reply
}

/**
 * Sends bytes of a file from pooled buffers, bypassing the framework: allocating buffers for a stream costs more than reading.
 * If the file shrinks meanwhile, the connection is cut.
 */
export async function sendPooled(
  reply: FastifyReply,
  file: Pick<OpenFile, 'send'>,
  { start, end }: ByteRange,
): Promise<FastifyReply> {
  const raw = begin(reply)
  try {
    await file.send(raw, start, end)
    raw.end()
  } catch (error) {
    reportCutOff(reply, error)
    raw.destroy()
  }
  return await reply
}

/** Sends parts one by one: requests the next only when the memory of the last can be reused. An error cuts the connection. */
export async function sendParts(reply: FastifyReply, parts: AsyncIterable<Uint8Array>): Promise<FastifyReply> {
  if (isHead(reply)) {
    await parts[Symbol.asyncIterator]().return?.()
    return await sendHead(reply)
  }
  const raw = begin(reply)
  try {
    for await (const part of parts) await writePart(raw, part)
    raw.end()
  } catch (error) {
    reportCutOff(reply, error)
    raw.destroy()
  }
  return await reply
}

/** Not our errors: the client disconnected, or its session ended. */
const EXPECTED_ERRORS: readonly unknown[] = [
  ...['CANCELLED', 'ABORT_ERR', 'EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'],
]

function reportCutOff({ raw, request }: FastifyReply, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (raw.headersSent && !EXPECTED_ERRORS.includes(code)) request.logCutOff(error)
}

/**
 * Bypasses the framework, and therefore sets the headers for shares that its `onSend` hook would set.
 *
 * @throws the error that ended the request
 */
function begin(reply: FastifyReply): ServerResponse {
  // The permission was lost while the reply was prepared.
  if (reply.request.requestEnd?.error !== undefined) throw reply.request.requestEnd.error
  const { raw } = reply.hijack()
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  if (reply.request.visit !== undefined) Object.assign(headers, PRIVATE)
  raw.writeHead(reply.statusCode, headers)
  return raw
}

/** Sends JSON that arrives in parts, compressed unless it is short. Each part may reuse the memory of the previous one. */
export async function sendJsonParts(reply: FastifyReply, parts: AsyncIterable<Uint8Array>): Promise<FastifyReply> {
  void reply.type('application/json; charset=utf-8')
  const rest = parts[Symbol.asyncIterator]()
  const start: Uint8Array[] = []
  let length = 0
  let next = await rest.next()
  for (; next.done !== true && (length += next.value.length) < MIN_COMPRESSED; next = await rest.next())
    start.push(Uint8Array.from(next.value))
  if (next.done === true) return await reply.send(Buffer.concat(start))
  const all = continued([...start, next.value], rest)
  const encoder = encoderFor(reply)
  return encoder === undefined ? await sendParts(reply, all) : await sendThrough(encoder, reply, all)
}

async function sendThrough(
  encoder: Transform,
  reply: FastifyReply,
  parts: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  if (isHead(reply)) return await sendParts(reply, parts)
  void reply.send(encoder)
  try {
    for await (const part of parts) await writePart(encoder, part)
    encoder.end()
  } catch (error) {
    reportCutOff(reply, error)
    encoder.destroy(error as Error)
  }
  return await reply
}

/** Sends lines as they arrive, without compression, which would buffer them. */
export async function sendLines(reply: FastifyReply, lines: AsyncIterable<string>): Promise<FastifyReply> {
  const rest = lines[Symbol.asyncIterator]()
  const first = await rest.next()
  void reply.type('text/plain; charset=utf-8')
  if (first.done === true) return await reply.send('')
  return await sendStream(reply, Readable.from(continued([first.value], rest), { objectMode: false }))
}

/** Sends JSON, compressed unless it is short. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  void reply.type('application/json; charset=utf-8')
  return sendCompressed(reply, JSON.stringify(value))
}

/** Values already taken from an iterator, followed by the rest of it. */
export async function* continued<T>(start: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* start
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
