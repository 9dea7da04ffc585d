import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, isIPv6, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { lookup } from 'node:dns/promises'
import type { Connection } from './outbox.ts'

/** Milliseconds. */
const CONNECT_TIME = 10_000
const CLOSE_TIME = 500

export async function connectTcp(host: string, port: number): Promise<Connection<Buffer>> {
  return await opened(connect({ host, port, keepAlive: true }))
}

/** @throws an error with the code EPROTOTYPE for a socket that takes datagrams */
export async function connectUnix(path: string): Promise<Connection<Buffer>> {
  return await opened(connect({ path }))
}

async function opened(socket: Socket): Promise<Connection<Buffer>> {
  // Nothing is read: without this, an end from the other side would not be noticed.
  socket.resume()
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIME) })
  } catch (error) {
    socket.on('error', () => undefined).destroy()
    throw error
  }
  const unref = () => socket.unref()
  unref()
  return overStream(socket, (broken) => socket.on('error', broken).on('end', broken).on('close', broken))
}

export async function connectUdp(host: string, port: number): Promise<Connection<Buffer>> {
  // Looked up once for each connection, not for each message.
  const { address } = await lookup(host)
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4').unref()
  let isBroken = false
  socket.on('error', () => (isBroken = true))
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).connect(port, address, resolve)
  })
  return {
    get isBroken() {
      return isBroken
    },
    send: async (message) =>
      await new Promise<void>((resolve, reject) => {
        socket.send(message, (error) => (error === null ? resolve() : reject(error)))
      }),
    close: async () => void socket.close(),
  }
}

/**
 * To a unix socket that takes datagrams, as /dev/log mostly does: Node has none, so the program "logger" sends them. Each message is
 * one line, which begins with its priority.
 */
export async function connectLogger(path: string, { name, maxLength }: LoggerOptions): Promise<Connection<Buffer>> {
  const format = ['--rfc5424=notq', '--prio-prefix', '--skip-empty', `--id=${process.pid}`]
  const words = [...format, '--tag', name, '--msgid', 'activity', '--size', String(maxLength), '--socket', path]
  const child = spawn('logger', words, { stdio: ['pipe', 'ignore', 'ignore'] })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', (cause) => {
      reject(new Error('the program "logger" of util-linux is needed to write there', { cause }))
    })
  })
  child.unref()
  return overStream(child.stdin, (broken) => {
    child.on('error', broken).on('exit', broken)
    child.stdin.on('error', broken)
  })
}

interface LoggerOptions {
  readonly name: string
  readonly maxLength: number
}

function overStream(stream: Writable, watch: (broken: () => void) => void): Connection<Buffer> {
  let isBroken = false
  watch(() => (isBroken = true))
  return {
    get isBroken() {
      return isBroken
    },
    send: async (message) =>
      await new Promise<void>((resolve, reject) => {
        stream.write(message, (error) => (error ? reject(error) : resolve()))
      }),
    async close() {
      if (!isBroken) await Promise.race([new Promise<void>((resolve) => void stream.end(resolve)), timeout()])
      stream.destroy()
    },
  }
}

async function timeout(): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIME).unref())
}
