/** Offered to a server that takes a later message as an interruption. */
const SUBPROTOCOL = 'filemgr.terminal'
const CTRL_C = '\u0003'

export interface CommandHandlers {
  readonly onLine: (line: string) => void
  /** @param how "exit 0", "timeout" …; `undefined` when the connection broke or never came */
  readonly onEnd: (how: string | undefined) => void
}

export interface RunningCommand {
  /** Asks the program to stop, as Ctrl-C does. */
  interrupt(): void
  /** Ends it, with all that it started. */
  kill(): void
}

export type RunCommand = (folder: string, line: string, handlers: CommandHandlers) => RunningCommand

/** Runs one command over a connection of its own. */
export function openCommandSocket(url: URL, line: string, { onLine, onEnd }: CommandHandlers): RunningCommand {
  const socket = new WebSocket(url, SUBPROTOCOL)
  socket.addEventListener('open', () => socket.send(line))
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => onLine(String(data)))
  socket.addEventListener('close', ({ reason }) => onEnd(reason || undefined))
  return {
    interrupt() {
      if (socket.readyState === WebSocket.OPEN) socket.send(CTRL_C)
    },
    kill: () => socket.close(),
  }
}
