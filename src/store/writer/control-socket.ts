import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { ALIVE, shortAddress, SOCKET } from '../../platform/network/daemon-socket.ts'
import { diskFailure } from '../disk/disk.ts'

/** Bytes: paths may be long. */
const MAX_HEADERS = 64 * 1024
/** Milliseconds that operations wait for a daemon that is starting. */
const START_TIMEOUT = 20_000

export type Answer = (request: IncomingMessage, reply: ServerResponse) => Promise<void>

/** The daemon's end of the socket. Disposing waits until all requests are answered. */
export interface ControlSocket extends AsyncDisposable {
  /** Lets a function answer the operations of commands, once the daemon can perform them. */
  answer(operations: Answer): void
}

/** Listens for requests of commands. Only the holder of the data lock may call it, so an existing socket is stale. */
export async function listenForCommands(folder: string): Promise<ControlSocket> {
  await rm(join(folder, SOCKET), { force: true })
  const address = await shortAddress(folder)
  const { promise: ready, resolve: answer } = Promise.withResolvers<Answer>()
  const running = new Map<IncomingMessage, { readonly reply: ServerResponse; readonly answered: Promise<void> }>()
  const server = createServer({ maxHeaderSize: MAX_HEADERS }, (incoming, reply) => {
    const answered = replyTo(incoming, reply, ready)
      // A command that is killed half way leaves an incomplete request, which is ignored.
      .catch((error: unknown) => sendError(reply, error))
      .finally(() => running.delete(incoming))
    running.set(incoming, { reply, answered })
  })
  // Long operations and slow disks: it is for the command to lose patience.
  server.requestTimeout = 0
  // Of several daemons behind one port, each has its own.
  const listening = { path: address.path, exclusive: true }
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(listening, resolve))
  } catch (error) {
    await address[Symbol.asyncDispose]()
    throw diskFailure(error, join(folder, SOCKET), 'saved')
  }
  // Any process that can connect can change everything. Until this call, the mode of the folder keeps others out.
  await chmod(join(folder, SOCKET), 0o600)
  server.unref()
  let closing: Promise<void> | undefined
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    const all = [...running]
    // A command may never send the rest, or never take it.
    for (const [incoming, { reply }] of all)
      if (!incoming.complete || (reply.headersSent && !reply.writableEnded)) reply.destroy()
    await Promise.all(all.map(async ([, { answered }]) => await answered))
    server.closeAllConnections()
    await closed
    await address[Symbol.asyncDispose]()
  }
  return { answer, [Symbol.asyncDispose]: async () => await (closing ??= close()) }
}

async function replyTo(incoming: IncomingMessage, reply: ServerResponse, ready: Promise<Answer>): Promise<void> {
  if (incoming.url === ALIVE) reply.writeHead(200, { 'content-type': 'application/json' }).end('true')
  else await (await inTime(ready))(incoming, reply)
}

/** @throws STORE_BUSY */
async function inTime(ready: Promise<Answer>): Promise<Answer> {
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new FilemgrError('STORE_BUSY', 'The daemon is still starting. Try again.', { retryAfter: 5 }))
  }, START_TIMEOUT)
  try {
    return await Promise.race([ready, overdue])
  } finally {
    clearTimeout(timer)
  }
}

/** Breaks the connection if a part of the reply has been sent. */
function sendError(reply: ServerResponse, error: unknown): void {
  if (reply.headersSent || reply.destroyed) {
    reply.destroy()
    return
  }
  const { code, message, details } = isFilemgrError(error) ? error : new FilemgrError('INTERNAL', String(error))
  reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ code, message, details }))
}
