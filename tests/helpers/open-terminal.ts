import type { TestApp } from './test-app.ts'

export interface TerminalEnd {
  readonly lines: string[]
  /** Undefined when there was no upgrade. */
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

/** A WebSocket to a server that listens, which need not open. */
export async function openTerminal({ app }: TestApp, request: TerminalRequest): Promise<OpenTerminal> {
  const { headers, folder = '/', protocols = [] } = request
  const address = app.server.listening ? app.server.address() : undefined
  if (address === undefined) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  // Of this runtime alone: browsers take no headers.
  const options = { protocols, headers } as unknown as string[]
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/command${folder}`, options)
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
