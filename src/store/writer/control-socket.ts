import { chmod, open, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type ErrorCode, type ErrorDetails, fail, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import { parseJson } from '../../domain/schema/parse-value.ts'
import { diskFailure, isErrno } from '../disk/disk.ts'

/** The socket by which commands reach the daemon: one JSON request and one JSON reply per connection. */
const SOCKET = 'control.sock'
/** Linux's limit for the address of a socket. */
const MAX_ADDRESS_BYTES = 107
const REPLY_TIMEOUT = 10_000
/** Asks the daemon whether it is alive. Its reply needs nothing but a turn of its event loop. */
const ALIVE = { alive: true }
const ALIVE_TIMEOUT = 5_000

interface Refusal {
  readonly refused: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails }
}

/** A connection to the daemon of a data folder; undefined when none runs. */
export async function connectDaemon(folder: string): Promise<Socket | undefined> {
  try {
    await using address = await shortAddress(folder)
    return await connected(address.path)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ECONNREFUSED')) return undefined
    if (isErrno(error, 'EACCES', 'EPERM'))
      fail(
        'STORE_INVALID',
        'The daemon runs as another account: run this command as that account.',
        { reason: 'unreachable' },
        { cause: error },
      )
    // It has not accepted hundreds of connections.
    if (isErrno(error, 'EAGAIN'))
      fail('STORE_BUSY', 'The daemon does not answer; many commands wait for it already. Restart it if that lasts.', {
        reason: 'silent',
      })
    throw error
  }
}

/** Whether the daemon of a data folder replies in time; undefined when none runs. A frozen one still gets connections. */
export async function isDaemonAlive(folder: string): Promise<boolean | undefined> {
  try {
    const daemon = await connectDaemon(folder)
    return daemon && (await replyOf(daemon, ALIVE, ALIVE_TIMEOUT)) !== undefined
  } catch (error) {
    if (isFilemgrError(error, 'STORE_BUSY')) return false
    throw error
  }
}

/** @throws the daemon's error; STORE_BUSY if it does not reply: then the change may have been made or not */
export async function sendToDaemon(daemon: Socket, request: object): Promise<unknown> {
  const reply = await replyOf(daemon, request, REPLY_TIMEOUT)
  if (reply === undefined)
    fail('STORE_BUSY', 'The daemon did not reply. Check whether the change was made, and try again if not.')
  if ('value' in reply) return reply.value
  const { code, message, details } = reply.refused
  throw new FilemgrError(code, message, details)
}

async function replyOf(
  daemon: Socket,
  request: object,
  timeout: number,
): Promise<{ value: unknown } | Refusal | undefined> {
  const overdue = setTimeout(() => daemon.destroy(new Error('no reply')), timeout)
  daemon.end(JSON.stringify(request))
  const text = await buffer(daemon).catch(() => '')
  clearTimeout(overdue)
  return parseJson(text.toString()) as { value: unknown } | Refusal | undefined
}

/**
 * Listens for requests of commands. Only the holder of the data lock may call it, so an existing socket is stale.
 * Disposing waits until all requests are answered.
 */
export async function listenForCommands(
  folder: string,
  handle: (request: unknown) => Promise<unknown>,
): Promise<AsyncDisposable> {
  await rm(join(folder, SOCKET), { force: true })
  const address = await shortAddress(folder)
  const idle = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    idle.add(socket)
    // A command that is killed half way leaves incomplete JSON, which is ignored.
    socket.on('error', () => undefined).on('close', () => idle.delete(socket))
    void buffer(socket).then(
      async (bytes) => {
        idle.delete(socket)
        const request: unknown = parseJson(bytes.toString())
        socket.end(request === undefined ? '' : JSON.stringify(await replyTo(request, handle)))
      },
      () => socket.destroy(),
    )
  })
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address.path, resolve))
  } catch (error) {
    await address[Symbol.asyncDispose]()
    throw diskFailure(error, join(folder, SOCKET), 'saved')
  }
  // Any process that can connect can change everything. Until this call, the mode of the folder keeps others out.
  await chmod(join(folder, SOCKET), 0o600)
  server.unref()
  return {
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of idle) socket.destroy()
      await closed
      await address[Symbol.asyncDispose]()
    },
  }
}

async function replyTo(
  request: unknown,
  handle: (request: unknown) => Promise<unknown>,
): Promise<{ value: unknown } | Refusal> {
  try {
    return { value: isRecord(request) && 'alive' in request ? true : await handle(request) }
  } catch (error) {
    const { code, message, details } = isFilemgrError(error) ? error : new FilemgrError('INTERNAL', String(error))
    return { refused: { code, message, details } }
  }
}

async function connected(path: string): Promise<Socket> {
  const socket = createConnection({ path, allowHalfOpen: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

/** The address of the socket. If its path is too long, addresses the folder by an open descriptor. */
async function shortAddress(folder: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = join(folder, SOCKET)
  if (Buffer.byteLength(path) <= MAX_ADDRESS_BYTES) return { path, [Symbol.asyncDispose]: async () => undefined }
  const handle = await open(folder)
  return {
    path: `/proc/self/fd/${handle.fd}/${SOCKET}`,
    [Symbol.asyncDispose]: async () => await handle.close(),
  }
}
