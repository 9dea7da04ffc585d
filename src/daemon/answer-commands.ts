import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../context.ts'
import { fail } from '../domain/errors.ts'
import { withoutPassword } from '../domain/server/store-url.ts'
import { callFrom } from '../operations/call-header.ts'
import { HANDLERS } from '../operations/handlers.ts'
import { sendsBytes, type Handler } from '../operations/handler.ts'
import { perform } from '../operations/perform.ts'

/** Performs the operations that commands send over the private socket: only this account, or root, can connect to it. */
export function answerCommands(context: Context) {
  return async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const handler = HANDLERS.get(request.url ?? '')
    if (handler === undefined)
      return fail('INVALID_INPUT', 'The daemon does not know this operation; it may be another version of filemgr.')
    const gone = new AbortController()
    reply.once('close', () => gone.abort())
    const { params, query, by, store } = callFrom(request.headers)
    if (store !== withoutPassword(context.options.store))
      return fail('INVALID_INPUT', 'The daemon has its store elsewhere: give its --store to this command too.')
    const input = { params, query, body: await bodyOf(request, handler) }
    const value = await perform(handler, context, { input, by, signal: gone.signal })
    if (sendsBytes(handler.operation)) {
      await pipeline(Readable.from(value as AsyncIterable<Uint8Array>, { objectMode: false }), reply)
      return
    }
    const answer = JSON.stringify(value ?? null)
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    reply.end(answer)
  }
}

async function bodyOf(request: IncomingMessage, { operation }: Handler): Promise<unknown> {
  // An operation that refuses the bytes half way must still be able to say so.
  if (operation.bodyKind === 'bytes') return request.iterator({ destroyOnReturn: false })
  const sent = await text(request)
  return sent === '' ? undefined : (JSON.parse(sent) as unknown)
}
