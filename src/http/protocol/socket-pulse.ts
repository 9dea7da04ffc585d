import type { MessageSocket } from './message-socket.ts'

/** In milliseconds; less than the minute after which proxies take a silent connection for dead. */
const PULSE = 30_000

/** Ends a connection whose other end has gone without a word, as a computer does that falls asleep; its program ends with it. */
export function watchPulse(
  socket: Pick<MessageSocket, 'on' | 'ping' | 'terminate'>,
  milliseconds: number = PULSE,
): void {
  let hasAnswered = true
  const beat = setInterval(() => {
    if (!hasAnswered) return socket.terminate()
    hasAnswered = false
    socket.ping()
  }, milliseconds).unref()
  socket.on('pong', () => (hasAnswered = true))
  socket.on('close', () => clearInterval(beat))
}
