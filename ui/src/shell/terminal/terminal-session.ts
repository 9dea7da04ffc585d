import { createStore, type Store } from '../../lib/create-store.ts'
import { type AnsiSpan, PLAIN, readAnsi } from './ansi.ts'

/** A line of the terminal. */
export type TerminalLine =
  | { readonly id: number; readonly kind: 'command'; readonly folder: string; readonly text: string }
  | { readonly id: number; readonly kind: 'output'; readonly spans: readonly AnsiSpan[] }
  /** How a command ended: "exit 0"; `undefined` when the connection broke. */
  | { readonly id: number; readonly kind: 'end'; readonly outcome: string | undefined }

type NewLine = TerminalLine extends infer Line ? (Line extends TerminalLine ? Omit<Line, 'id'> : never) : never

interface TerminalState {
  /** The most recent lines. */
  readonly lines: readonly TerminalLine[]
  readonly running: boolean
}

export interface TerminalSession {
  readonly state: Store<TerminalState>
  run(folder: string, line: string): void
  /** The first call asks the program to stop, the second kills it. */
  stop(): void
  clear(): void
}

/** Older lines are dropped. */
const MAX_LINES = 2000
const MAX_LINE_LENGTH = 10_000
/** Milliseconds between two updates of the output. */
const UPDATE_INTERVAL = 32

/** Runs one command at a time and collects the output, also while the panel is closed. */
export function createTerminalSession(runCommand: RunCommand): TerminalSession {
  const state = createStore<TerminalState>({ lines: [], running: false })
  let lines: TerminalLine[] = []
  let lastId = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: RunningCommand | undefined
  let stops = 0

  const show = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length > MAX_LINES) lines = lines.slice(-MAX_LINES)
    state.set({ lines: lines.slice(), running: running !== undefined })
  }
  const add = (line: NewLine) => {
    lines.push({ ...line, id: ++lastId })
    // A program may print more than that between two updates.
    if (lines.length > MAX_LINES * 2) lines = lines.slice(-MAX_LINES)
    timer ??= setTimeout(show, UPDATE_INTERVAL)
  }

  return {
    state,
    run(folder, text) {
      if (running !== undefined) return
      let style = PLAIN
      stops = 0
      add({ kind: 'command', folder, text })
      running = runCommand(folder, text, {
        onLine(line) {
          const read = readAnsi(line.slice(0, MAX_LINE_LENGTH), style)
          style = read.style
          add({ kind: 'output', spans: read.spans })
        },
        onEnd(outcome) {
          running = undefined
          add({ kind: 'end', outcome: outcome ?? (stops > 1 ? 'killed' : undefined) })
          show()
        },
      })
      show()
    },
    stop() {
      if (stops > 0) running?.kill()
      else running?.interrupt()
      stops += 1
    },
    clear() {
      lines = []
      show()
    },
  }
}

/** The output as text to copy. */
export function textOf(lines: readonly TerminalLine[]): string {
  return lines
    .map((line) => {
      if (line.kind === 'command') return `${line.folder} $ ${line.text}`
      return line.kind === 'output' ? line.spans.map(({ text }) => text).join('') : (line.outcome ?? '')
    })
    .join('\n')
}

/** Offered to the server: a later message can interrupt the command. */
const SUBPROTOCOL = 'filemgr.terminal'
const CTRL_C = '\u0003'

export interface CommandHandlers {
  readonly onLine: (line: string) => void
  /** @param outcome "exit 0", "timeout" …; `undefined` when the connection broke or failed */
  readonly onEnd: (outcome: string | undefined) => void
}

interface RunningCommand {
  /** Asks the program to stop, as Ctrl-C does. */
  interrupt(): void
  /** Kills it with its child processes. */
  kill(): void
}

type RunCommand = (folder: string, line: string, handlers: CommandHandlers) => RunningCommand

/** Runs one command over a connection of its own. */
export function openCommandSocket(url: URL, line: string, { onLine, onEnd }: CommandHandlers): RunningCommand {
  const socket = new WebSocket(url, SUBPROTOCOL)
  socket.addEventListener('open', () => socket.send(line))
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => onLine(String(data)))
  socket.addEventListener('close', ({ reason }) => onEnd(reason || undefined))
  return {
    interrupt() {
      const send = (): void => socket.send(CTRL_C)
      if (socket.readyState === WebSocket.OPEN) send()
      // The command is sent first, since its listener was added before.
      if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', send)
    },
    kill: () => socket.close(),
  }
}
