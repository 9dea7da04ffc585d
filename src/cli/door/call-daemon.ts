import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { requireAnswer, type DaemonRecord } from '../../context/daemon-record.ts'
import { type ErrorCode, type ErrorDetails, fail, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { connectDaemon } from '../../platform/network/daemon-socket.ts'
import { failWhenSilent } from '../http-exchange.ts'

export interface DaemonCall {
  readonly address: string
  readonly sent: object
}

/**
 * Lets the daemon perform an operation. Long work is waited for, as long as the daemon answers at all.
 *
 * @throws the daemon's error; STORE_BUSY if it does not answer, or ends meanwhile
 */
export async function callDaemon(
  folder: string,
  daemon: DaemonRecord,
  { address, sent }: DaemonCall,
): Promise<unknown> {
  const socket = await connectDaemon(folder)
  if (socket === undefined) return fail('DAEMON_NOT_RUNNING', `the daemon with pid ${daemon.pid} has ended`)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const asked = request({ method: 'POST', path: address, createConnection: () => socket }, resolve)
  failWhenSilent(asked, async () => await requireAnswer(folder, daemon))
  asked.once('error', reject).end(JSON.stringify(sent))
  const reply = await promise.catch(brokenOff)
  const value: unknown = await json(reply).catch(brokenOff)
  if (reply.statusCode === 200) return value ?? undefined
  const { code, message, details } = value as { code: ErrorCode; message: string; details: ErrorDetails }
  throw new FilemgrError(code, message, details)
}

function brokenOff(error: unknown): never {
  if (isFilemgrError(error)) throw error
  const message = 'The daemon did not reply. Check whether the change was made, and try again if not.'
  return fail('STORE_BUSY', message, {}, { cause: error })
}
