import type { FastifyInstance } from 'fastify'
import type { TestApp } from './test-app.ts'

export interface TerminalEnd {
  readonly lines: string[]
  /** Undefined if there was no upgrade. */
  readonly code: number
  readonly reason: string
}

export interface OpenTerminal {
  readonly socket: WebSocket
  readonly lines: readonly string[]
  readonly ended: Promise<TerminalEnd>
}

export interface TerminalRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly folder?: string
  readonly protocols?: string[]
}

/** A WebSocket to an app in this process, or to a daemon. It may be refused. */
export async function openTerminal(
  server: Pick<TestApp, 'app'> | URL,
  request: TerminalRequest,
): Promise<OpenTerminal> {
  const { headers, folder = '/', protocols = [] } = request
  const { host, pathname } = server instanceof URL ? server : await addressOf(server.app)
  // Only in Node: browsers cannot set headers.
  const options = { protocols, headers } as unknown as string[]
  const socket = new WebSocket(`ws://${host}${pathname}api/command${folder}`, options)
  const lines: string[] = []
  socket.addEventListener('message', ({ data }) => lines.push(String(data)))
  const ended = new Promise<TerminalEnd>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ lines, code, reason }))
  })
  await new Promise<void>((resolve) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => resolve())
  })
  return { socket, lines, ended }
}

async function addressOf(app: FastifyInstance): Promise<URL> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return new URL(`http://127.0.0.1:${(app.server.address() as { port: number }).port}/`)
}
