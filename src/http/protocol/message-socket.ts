/** The part of a server-side WebSocket that we use. */
export interface MessageSocket {
  readonly readyState: number
  readonly OPEN: number
  /** The negotiated subprotocol, or "". */
  readonly protocol: string
  send(text: string, sent: (error?: Error) => void): void
  /** Asks for a "pong", which every client sends automatically. */
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: Buffer) => void): void
  on(event: 'close' | 'error' | 'pong', listener: () => void): void
}

/** In milliseconds; shorter than the minute after which proxies close an idle connection. */
const PING_INTERVAL = 30_000

/** Closes the connection of a client that no longer responds, such as a sleeping computer, and so ends the program it runs. */
export function watchPulse(socket: MessageSocket, milliseconds: number = PING_INTERVAL): void {
  let hasAnswered = true
  const beat = setInterval(() => {
    if (!hasAnswered) return socket.terminate()
    hasAnswered = false
    socket.ping()
  }, milliseconds).unref()
  socket.on('pong', () => (hasAnswered = true))
  socket.on('close', () => clearInterval(beat))
}
