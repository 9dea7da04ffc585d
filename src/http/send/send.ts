import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { writePart } from '../../platform/network/write-part.ts'
import type { OpenFile } from '../../storage/storage.ts'
import { PRIVATE } from '../plugins/security-headers.ts'
import { encoderFor, sendCompressed, SMALLEST_COMPRESSED } from './compressed.ts'
import type { ByteRange } from './ranges.ts'
import '../route-config.ts'

/**
 * Sends a stream and waits until it is over, so that what it reads from may be closed afterwards. A client that goes away
 * ends it too; an error in the middle has cut the connection by then.
 */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<FastifyReply> {
  const over = finished(stream, { cleanup: true }).catch((error: unknown) => brokenOff(reply, error))
  void reply.send(stream)
  await over
  return await reply
}

/** Beyond this size, the head is written separately: joining would copy the body. */
const ONE_WRITE = 16 * 1024

/** Sends few bytes with their head in one write, past the framework, which would take two. */
export function sendBytes(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  const raw = begin(reply)
  if (bytes.length > ONE_WRITE) raw.end(bytes)
  else raw.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), 'latin1')
  return reply
}

/**
 * Sends bytes of a file from buffers that are used again and again, past the framework: its streams want buffers of their own,
 * which cost more than the reading. Headers are those of the reply. A file that shrinks meanwhile cuts the connection.
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
    brokenOff(reply, error)
    raw.destroy()
  }
  return await reply
}

/**
 * Sends parts one by one: each has left, and its memory is free, before the next one is asked for. An error in the middle cuts
 * the connection.
 */
export async function sendParts(reply: FastifyReply, parts: AsyncIterable<Uint8Array>): Promise<FastifyReply> {
  const raw = begin(reply)
  try {
    for await (const part of parts) await writePart(raw, part)
    raw.end()
  } catch (error) {
    brokenOff(reply, error)
    raw.destroy()
  }
  return await reply
}

/** Not an error of ours: the client went away, or its session ended. */
const DEPARTURES: readonly unknown[] = [
  ...['CANCELLED', 'ABORT_ERR', 'EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'],
]

/** Once a part is sent, the status cannot change any more, so the error is only logged. */
function brokenOff({ raw, request }: FastifyReply, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (raw.headersSent && !DEPARTURES.includes(code)) request.brokenBy = error
}

/** Past the framework, whose last look at an answer to a visitor is made up for here. */
function begin(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack()
  const more = reply.request.visit === undefined ? {} : PRIVATE
  raw.writeHead(reply.statusCode, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...more })
  return raw
}

/**
 * Sends JSON that comes in parts: at once when it is short, else compressed as the client likes it. Each part has been used up
 * before the next one is asked for.
 */
export async function sendJsonParts(reply: FastifyReply, parts: AsyncIterable<Uint8Array>): Promise<FastifyReply> {
  void reply.type('application/json; charset=utf-8')
  const rest = parts[Symbol.asyncIterator]()
  const start: Uint8Array[] = []
  let length = 0
  let next = await rest.next()
  for (; next.done !== true && (length += next.value.length) < SMALLEST_COMPRESSED; next = await rest.next())
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
  void reply.send(encoder)
  try {
    for await (const part of parts) await writePart(encoder, part)
    encoder.end()
  } catch (error) {
    brokenOff(reply, error)
    encoder.destroy(error as Error)
  }
  return await reply
}

/** Sends lines while they come, each at once: not compressed, which would gather them. None: an answer without type. */
export async function sendLines(reply: FastifyReply, lines: AsyncIterable<string>): Promise<FastifyReply> {
  const rest = lines[Symbol.asyncIterator]()
  const first = await rest.next()
  if (first.done === true) return await reply.send()
  void reply.type('text/plain; charset=utf-8')
  return await sendStream(reply, Readable.from(continued([first.value], rest), { objectMode: false }))
}

/** Sends a value as JSON, compressed when it is long. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  void reply.type('application/json; charset=utf-8')
  return sendCompressed(reply, JSON.stringify(value))
}

/** What has been taken of something already, and the rest of it. */
export async function* continued<T>(start: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* start
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
