import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Context } from '../context.ts'
import { fail } from '../domain/errors.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import { HANDLERS } from '../operations/handlers.ts'
import { type CommandCaller, perform } from '../operations/perform.ts'

/** Performs the operations that commands send over the private socket: only this account, or root, can connect to it. */
export function answerCommands(context: Context) {
  return async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const handler = HANDLERS.get(request.url ?? '')
    if (handler === undefined)
      return fail('INVALID_INPUT', 'The daemon does not know this operation; it may be another version of filemgr.')
    const gone = new AbortController()
    reply.once('close', () => gone.abort())
    const sent = await json(request)
    if (!isRecord(sent)) return fail('INVALID_INPUT', 'The request of the command is not valid.')
    const { params, query, body, by } = sent
    const value = await perform(handler, context, {
      input: { params, query, body },
      by: callerFrom(by),
      signal: gone.signal,
    })
    const text = JSON.stringify(value ?? null)
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
  }
}

function callerFrom(by: unknown): CommandCaller {
  const { account, sudoUser } = isRecord(by) ? by : {}
  return {
    account: typeof account === 'string' ? account : '',
    ...(typeof sudoUser === 'string' && { sudoUser }),
  }
}
