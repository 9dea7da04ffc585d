import type { Socket } from 'node:net'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { FilemgrError } from '../../../domain/errors.ts'
import { type BerElement, messageSize, readReply } from './ldap-wire.ts'

/** Bytes of all answers of a connection. Without a limit, a directory could fill the memory. */
const MAX_RECEIVED = 2 * 1024 * 1024

/**
 * The answers that arrive on a socket, one message after the other. Whatever goes wrong ends the connection, and is thrown to
 * whoever waits, now or later: an error, the end, bytes that are not LDAP, too many of them, or the time limit.
 *
 * @param plain which this owns from now on
 */
export function createLdapReplies(plain: Socket, timeout: number) {
  let current = plain
  let received = 0
  let rest: Buffer = Buffer.alloc(0)
  const messages: Buffer[] = []
  const problem = Promise.withResolvers<never>()
  // Whoever waits hears of it; nobody may be waiting.
  problem.promise.catch(() => undefined)
  let arrived = Promise.withResolvers<void>()

  const end = (message: string, cause?: unknown): void => {
    problem.reject(new FilemgrError('UNAVAILABLE', message, {}, { cause }))
    current.destroy()
    plain.destroy()
  }
  const timer = setTimeout(() => end(`no answer within ${timeout / 1000} seconds`), timeout)

  const take = (bytes: Buffer): void => {
    received += bytes.length
    if (received > MAX_RECEIVED) {
      end('the answers are too long')
      return
    }
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    try {
      for (let size = messageSize(rest); size !== undefined && size <= rest.length; size = messageSize(rest)) {
        messages.push(rest.subarray(0, size))
        rest = rest.subarray(size)
      }
    } catch (error) {
      end(error instanceof Error ? error.message : String(error), error)
    }
    arrived.resolve()
  }

  const follow = (socket: Socket): void => {
    current = socket
    socket.on('data', take)
    socket.on('error', (error) => end(reasonOf(error), error))
    socket.on('close', () => end('the connection was closed'))
  }
  follow(plain)

  /** @throws UNAVAILABLE */
  const until = async (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> => {
    await Promise.race([new Promise<void>((resolve) => socket.once(event, resolve)), problem.promise])
  }

  return {
    /** @throws UNAVAILABLE */
    connected: async (): Promise<void> => await until(plain, 'connect'),

    /** @throws UNAVAILABLE */
    async secured(options: ConnectionOptions): Promise<TLSSocket> {
      const { connect } = await import('node:tls')
      plain.removeListener('data', take)
      const secure = connect({ ...options, socket: plain })
      follow(secure)
      await until(secure, 'secureConnect')
      return secure
    },

    /** Nothing has arrived that nobody has read. */
    isEmpty: (): boolean => rest.length === 0 && messages.length === 0,

    send: (bytes: Buffer): void => {
      if (!current.destroyed) current.write(bytes)
    },

    /** The next message, which must answer this request. @throws UNAVAILABLE */
    async next(id: number): Promise<BerElement> {
      while (messages.length === 0) {
        await Promise.race([arrived.promise, problem.promise])
        arrived = Promise.withResolvers()
      }
      const [message = Buffer.alloc(0)] = messages.splice(0, 1)
      const reply = readReply(message)
      if (reply.id === id) return reply.operation
      // The directory says by a message of its own that it ends the connection.
      const said = reply.id === 0 ? 'the directory ended the connection' : 'the directory answered another question'
      throw new FilemgrError('UNAVAILABLE', said)
    },

    [Symbol.dispose](): void {
      clearTimeout(timer)
      problem.reject(new FilemgrError('CANCELLED', 'the connection is closed'))
      current.destroySoon()
      plain.destroySoon()
    },
  }
}

const TLS_REASONS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

const UNTRUSTED = /SELF_SIGNED|UNABLE_TO|CERT_UNTRUSTED|INVALID_CA/

function reasonOf(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException
  const known = TLS_REASONS[code]
  if (known !== undefined) return `${known} (${code})`
  if (UNTRUSTED.test(code)) return `its certificate is not trusted; give the certificate of its authority (${code})`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no server of this name (${code})`
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return `what answers there does not speak TLS (${code})`
  return `it cannot be reached (${code === '' ? error.message : code})`
}
