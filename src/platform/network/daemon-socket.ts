import { open } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { isErrno } from '../files/error-code.ts'

/** The socket in a data folder by which commands reach the daemon, by HTTP. */
export const SOCKET = 'control.sock'
/** Asks the daemon whether it is alive. Its reply needs nothing but a turn of its event loop. */
export const ALIVE = '/alive'
const ALIVE_TIMEOUT = 5_000
/** Linux's limit for the address of a socket. */
const MAX_ADDRESS_BYTES = 107

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

async function connected(path: string): Promise<Socket> {
  const socket = createConnection({ path })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

/** Whether a daemon runs on a data folder. */
export async function hasDaemon(folder: string): Promise<boolean> {
  const daemon = await connectDaemon(folder)
  daemon?.destroy()
  return daemon !== undefined
}

/** Whether the daemon of a data folder replies in time; undefined when none runs. A frozen one still gets connections. */
export async function isDaemonAlive(folder: string): Promise<boolean | undefined> {
  try {
    const daemon = await connectDaemon(folder)
    return daemon && (await answers(daemon))
  } catch (error) {
    if (isFilemgrError(error, 'STORE_BUSY')) return false
    throw error
  }
}

async function answers(daemon: Socket): Promise<boolean> {
  const overdue = setTimeout(() => daemon.destroy(new Error('no reply')), ALIVE_TIMEOUT)
  try {
    const reply = await postTo(daemon, ALIVE)
    await json(reply)
    return true
  } catch {
    return false
  } finally {
    clearTimeout(overdue)
  }
}

async function postTo(daemon: Socket, path: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request({ method: 'POST', path, createConnection: () => daemon }, resolve)
    .once('error', reject)
    .end()
  return await promise
}

/** The address of the socket. If its path is too long, addresses the folder by an open descriptor. */
export async function shortAddress(folder: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = join(folder, SOCKET)
  if (Buffer.byteLength(path) <= MAX_ADDRESS_BYTES) return { path, [Symbol.asyncDispose]: async () => undefined }
  const handle = await open(folder)
  return {
    path: `/proc/self/fd/${handle.fd}/${SOCKET}`,
    [Symbol.asyncDispose]: async () => await handle.close(),
  }
}
