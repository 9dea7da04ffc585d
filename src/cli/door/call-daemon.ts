import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { readDaemon, requireAnswer } from '../../context/daemon-record.ts'
import { type ErrorCode, type ErrorDetails, fail, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import type { Operation, OperatorOperation } from '../../api/operation.ts'
import { callHeader, type SentCall } from '../../operations/call-header.ts'
import { addressOf, sendsBytes } from '../../operations/handler.ts'
import { connectDaemon } from '../../platform/network/daemon-socket.ts'
import { failWhenSilent } from '../http-exchange.ts'

export interface DaemonCall extends SentCall {
  readonly body?: unknown
}

/**
 * Lets the daemon perform an operation. Long work is waited for, as long as the daemon answers at all.
 *
 * @returns undefined if no daemon runs, so that nothing was sent
 * @throws the daemon's error; STORE_BUSY if it does not answer, or ends meanwhile
 */
export async function callDaemon(
  folder: string,
  operation: Operation | OperatorOperation,
  { body, ...call }: DaemonCall,
): Promise<{ readonly value: unknown } | undefined> {
  const socket = await connectDaemon(folder)
  if (socket === undefined) return undefined
  const headers = callHeader(call)
  const sent = request({ method: 'POST', path: addressOf(operation), headers, createConnection: () => socket })
  failWhenSilent(sent, async () => await requireAnyAnswer(folder))
  const reply = await replyTo(sent, operation.bodyKind === 'bytes' ? asStream(body) : JSON.stringify(body))
  if (reply.statusCode === 200 && sendsBytes(operation)) return { value: bytesOf(reply) }
  const value: unknown = await json(reply).catch(brokenOff)
  // The daemon may have refused the body before it was sent.
  sent.destroy()
  if (reply.statusCode === 200) return { value: value ?? undefined }
  const { code, message, details } = value as { code: ErrorCode; message: string; details: ErrorDetails }
  throw new FilemgrError(code, message, details)
}

function asStream(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from(body as AsyncIterable<Uint8Array>)
}

async function requireAnyAnswer(folder: string): Promise<void> {
  const daemon = await readDaemon(folder)
  if (daemon === undefined) fail('DAEMON_NOT_RUNNING', 'the daemon has ended')
  await requireAnswer(folder, daemon)
}

/** @throws also what fails in a body of bytes */
async function replyTo(sent: ClientRequest, body: Readable | string | undefined): Promise<IncomingMessage> {
  const { promise: reply, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.once('response', resolve).once('error', reject)
  if (!(body instanceof Readable)) {
    sent.end(body)
    return await reply.catch(brokenOff)
  }
  let problem: Error | undefined
  // If sending fails first, the body is destroyed with the same error.
  body.once('error', (error: Error) => (problem = sent.destroyed ? undefined : error))
  const sending = pipeline(body, sent).then(async () => await reply)
  return await Promise.race([reply, sending]).catch((error: unknown) => {
    if (problem === undefined) return brokenOff(error)
    throw problem
  })
}

async function* bytesOf(reply: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* reply as AsyncIterable<Uint8Array>
  } catch (error) {
    fail('STORE_BUSY', 'The daemon ended before it had sent everything. Try again.', {}, { cause: error })
  }
}

function brokenOff(error: unknown): never {
  if (isFilemgrError(error)) throw error
  const message = 'The daemon did not reply. Check whether the change was made, and try again if not.'
  return fail('STORE_BUSY', message, {}, { cause: error })
}
