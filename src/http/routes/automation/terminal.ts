import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openTerminal } from '../../../api/automation/terminal.ts'
import type { Context } from '../../../context.ts'
import { isAdministrator } from '../../../domain/accounts/user.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { truncateToBytes } from '../../../domain/text/printable.ts'
import { type MessageSocket, mount } from '../../mount.ts'
import { addressOf } from '../../protocol/caller.ts'

const MAX_MESSAGE_BYTES = 64 * 1024
/** Bytes that a close frame has room for. */
const MAX_CLOSE_REASON = 123
/** With this subprotocol a later message can interrupt the program; without it later messages are ignored. */
const SUBPROTOCOL = 'filemgr.terminal'
const CTRL_C = '\u0003'

/** Close codes of RFC 6455 and its registry. */
const CLOSE = { normal: 1000, goingAway: 1001, policy: 1008, failure: 1011, later: 1013 }

export async function terminalRoutes(app: FastifyInstance, context: Context): Promise<void> {
  const { terminal, sessionWatch, actorWatch, maintenance } = context.services
  const open = new Set<(code: number, reason: string) => void>()

  await app.register(websocket, {
    options: {
      maxPayload: MAX_MESSAGE_BYTES,
      handleProtocols: (offered: Set<string>) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    },
    // Closing the server waits for open sockets, and a program may never end.
    preClose: (done: () => void) => {
      for (const close of open) close(CLOSE.goingAway, 'the server stops')
      done()
    },
  })

  const serve = (socket: MessageSocket, request: FastifyRequest, folder: string): void => {
    const { actor } = request
    if (actor?.kind !== 'user' || actor.session === undefined) return socket.terminate()
    const stop = new AbortController()
    const interrupt = new AbortController()
    const resources = new DisposableStack()
    const close = (code: number, reason: string): void => {
      stop.abort()
      socket.close(code, truncateToBytes(reason, MAX_CLOSE_REASON))
      // Cut off a client that does not complete the closing handshake.
      setTimeout(() => socket.terminate(), 2000).unref()
    }
    socket.on('close', () => {
      stop.abort()
      resources.dispose()
    })
    // After a message that is too long or malformed, the connection is already closed.
    socket.on('error', () => stop.abort())
    watchPulse(socket)
    open.add(close)
    resources.defer(() => open.delete(close))
    if (!isAdministrator(actor.user())) resources.defer(maintenance.track(({ message }) => close(CLOSE.later, message)))
    resources.defer(sessionWatch.onEnd(actor.session, () => close(CLOSE.policy, 'the session has ended')))
    resources.defer(actorWatch.onRefused(actor, ({ message }) => close(CLOSE.policy, message)))
    const send = sender(socket)
    try {
      resources.use(terminal.connect(actor))
    } catch (error) {
      if (!isFilemgrError(error, 'BUSY')) throw error
      void send(error.message).then(() => close(CLOSE.later, error.message))
      return
    }
    let isRunning = false
    socket.on('message', (data: Buffer) => {
      const line = data.toString('utf8')
      if (isRunning) {
        if (socket.protocol === SUBPROTOCOL && line === CTRL_C) interrupt.abort()
        return
      }
      if (line.trim() === '') return
      isRunning = true
      const signals = { signal: stop.signal, interrupt: interrupt.signal }
      const command = { folder, line, address: addressOf(request), send, ...signals }
      terminal.run(actor, command).then(
        (outcome) => close(CLOSE.normal, outcome),
        (error: unknown) => {
          if (!stop.signal.aborted) context.log.error({ err: error }, 'a command of the terminal failed')
          close(CLOSE.failure, 'the server failed')
        },
      )
    })
  }

  mount(app, openTerminal, () => fail('INVALID_INPUT', 'this address speaks WebSocket only'), {
    endsItself: true,
    socket: { before: requireOwnOrigin, open: serve },
  })
}

/** In milliseconds; shorter than the minute after which proxies close an idle connection. */
const PING_INTERVAL = 30_000

/** Closes the connection of a client that no longer responds, such as a sleeping computer, and so ends the program it runs. */
function watchPulse(socket: MessageSocket): void {
  let hasAnswered = true
  const beat = setInterval(() => {
    if (!hasAnswered) return socket.terminate()
    hasAnswered = false
    socket.ping()
  }, PING_INTERVAL).unref()
  socket.on('pong', () => (hasAnswered = true))
  socket.on('close', () => clearInterval(beat))
}

/** Resolves once the line is sent, so that a slow client slows the program down instead of filling the memory. */
function sender(socket: MessageSocket) {
  return async (line: string): Promise<void> => {
    if (socket.readyState !== socket.OPEN) return
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.send(line, () => resolve())
    await promise
  }
}

/** Cross-site WebSocket hijacking: another site must not open a terminal with the user's cookie. Programs send no origin. */
function requireOwnOrigin({ headers: { origin }, host }: FastifyRequest): void {
  if (origin === undefined) return
  const from = URL.canParse(origin) ? new URL(origin).host : undefined
  if (from !== host) fail('FORBIDDEN', 'the request came from a page of another site')
}
