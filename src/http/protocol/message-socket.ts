/** What we use of a WebSocket on the side of the server. */
export interface MessageSocket {
  readonly readyState: number
  readonly OPEN: number
  /** The one that both speak, or "". */
  readonly protocol: string
  send(text: string, sent: (error?: Error) => void): void
  /** Asks for a "pong", which every client gives by itself. */
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: Buffer) => void): void
  on(event: 'close' | 'error' | 'pong', listener: () => void): void
}
