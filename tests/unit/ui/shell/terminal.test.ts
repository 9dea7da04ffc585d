import websocket from '@fastify/websocket'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import type { MessageSocket } from '../../../../src/http/mount.ts'
import { readAnsi } from '../../../../ui/src/shell/terminal/ansi.ts'
import { createCommandHistory } from '../../../../ui/src/shell/terminal/command-line.tsx'
import {
  type CommandHandlers,
  createTerminalSession,
  openCommandSocket,
  textOf,
} from '../../../../ui/src/shell/terminal/terminal-session.ts'
import {
  clampHeight,
  firstHeight,
  heightByKey,
  heightLimits,
} from '../../../../ui/src/shell/terminal/use-panel-height.ts'

const ESC = '\u001b'
const plainText = (line: string) =>
  readAnsi(line)
    .spans.map(({ text }) => text)
    .join('')

describe('the colours of output', () => {
  it('are parsed from escape sequences and removed from the text', () => {
    const { spans, style } = readAnsi(`a${ESC}[31mb${ESC}[1;42mc${ESC}[0md`)
    expect(spans).toEqual([
      { text: 'a', style: {} },
      { text: 'b', style: { colour: 'red' } },
      { text: 'c', style: { colour: 'red', background: 'green', bold: true } },
      { text: 'd', style: {} },
    ])
    expect(style).toEqual({})
  })

  it('continue on the next line until they are reset', () => {
    const first = readAnsi(`${ESC}[94;4;7mone`)
    const second = readAnsi(`two${ESC}[39;24;27mthree`, first.style)
    expect(second.spans.map(({ style }) => style)).toEqual([
      { colour: 'blue', underline: true, inverse: true },
      { colour: undefined, underline: undefined, inverse: undefined },
    ])
  })

  it.each([
    ['38;5;9', 'red'],
    ['38;5;46', 'green'],
    ['38;5;208', 'red'],
    ['38;5;240', 'black'],
    ['38;2;250;250;40', 'yellow'],
    ['38;2;0;200;210', 'cyan'],
    ['38;2;9;9;9', 'black'],
  ])('of 256 are mapped to the nearest of eight: %s is %s', (codes, colour) => {
    expect(readAnsi(`${ESC}[${codes};3mx`).spans[0]?.style).toEqual({ colour, italic: true })
  })

  it('ignore other sequences, such as titles, links and cursor moves', () => {
    expect(
      plainText(`${ESC}[2J${ESC}[1;1H${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\b${ESC}(Bc${ESC}7\u0007d`),
    ).toBe('abcd')
    expect(plainText(`a${ESC}[999`)).not.toContain(ESC)
    expect(plainText(`open ${ESC}]0;never closed`)).toBe('open ')
  })

  it('belong to the last state of an overwritten line', () => {
    expect(plainText('10 %\r50 %\r100 %')).toBe('100 %')
    expect(plainText('done\r')).toBe('done')
  })
})

describe('the history of commands', () => {
  const filled = (storage = memory()) => {
    const history = createCommandHistory(storage)
    for (const command of ['ls', 'pwd', 'pwd']) history.add(command)
    return history
  }

  it('goes back and forth, and returns to the typed text', () => {
    const history = filled()
    expect(history.older('dra')).toBe('pwd')
    expect(history.older('')).toBe('ls')
    expect(history.older('')).toBeUndefined()
    expect(history.newer()).toBe('pwd')
    expect(history.newer()).toBe('dra')
    expect(history.newer()).toBeUndefined()
  })

  it('survives a reload, and starts empty if it is damaged', () => {
    const storage = memory()
    filled(storage)
    expect(createCommandHistory(storage).older('')).toBe('pwd')
    storage.setItem('filemgr:commands', '{')
    expect(createCommandHistory(storage).older('')).toBeUndefined()
  })
})

describe('the height of the panel', () => {
  it('starts at 25 em and ends 4 em below the top of the window', () => {
    const limits = heightLimits(800, 16)
    expect(limits).toEqual({ min: 96, max: 736 })
    expect(clampHeight(firstHeight(16), limits)).toBe(400)
    expect(clampHeight(5000, limits)).toBe(736)
    expect(clampHeight(0, limits)).toBe(96)
    expect(heightLimits(100, 16)).toEqual({ min: 96, max: 96 })
  })

  it('is changed by keys', () => {
    const limits = heightLimits(800, 16)
    expect(heightByKey('ArrowUp', 400, 16, limits)).toBe(432)
    expect(heightByKey('PageDown', 400, 16, limits)).toBe(240)
    expect(heightByKey('Home', 400, 16, limits)).toBe(96)
    expect(heightByKey('End', 400, 16, limits)).toBe(736)
    expect(heightByKey('Tab', 400, 16, limits)).toBeUndefined()
  })
})

describe('a terminal', () => {
  function terminal() {
    const asked: string[] = []
    let handlers: CommandHandlers | undefined
    const session = createTerminalSession((folder, line, given) => {
      asked.push(`${folder} ${line}`)
      handlers = given
      return { interrupt: () => asked.push('interrupt'), kill: () => asked.push('kill') }
    })
    return {
      session,
      asked,
      say: (line: string) => handlers?.onLine(line),
      end: (outcome?: string) => handlers?.onEnd(outcome),
    }
  }

  it('runs one command at a time, and shows outcome each ended', () => {
    const { session, asked, say, end } = terminal()
    session.run('/a/', 'one')
    session.run('/a/', 'two')
    say(`${ESC}[32mhello${ESC}[0m`)
    end('exit 3')
    session.run('/b/', 'three')
    end()
    expect(asked).toEqual(['/a/ one', '/b/ three'])
    const { lines, running } = session.state.get()
    expect(running).toBe(false)
    expect(textOf(lines)).toBe('/a/ $ one\nhello\nexit 3\n/b/ $ three\n')
    session.clear()
    expect(session.state.get().lines).toEqual([])
  })

  it('interrupts a command first, and then kills it', () => {
    const { session, asked, end } = terminal()
    session.run('/', 'sleep')
    session.stop()
    session.stop()
    end()
    expect(textOf(session.state.get().lines)).toBe('/ $ sleep\nkilled')
    session.run('/', 'again')
    session.stop()
    expect(asked).toEqual(['/ sleep', 'interrupt', 'kill', '/ again', 'interrupt'])
  })

  it('keeps the last two thousand lines, and ten thousand characters of each', () => {
    const { session, say, end } = terminal()
    session.run('/', 'yes')
    for (let line = 0; line < 9000; line++) say(String(line))
    say('x'.repeat(20_000))
    end('exit 0')
    const { lines } = session.state.get()
    expect(lines).toHaveLength(2000)
    const texts = textOf(lines).split('\n')
    expect(texts.at(-1)).toBe('exit 0')
    expect(texts.at(-2)).toHaveLength(10_000)
    expect(texts.at(-3)).toBe('8999')
  })
})

function memory(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Partial<Storage> as Storage
}

it('a command that is stopped before it is connected is interrupted once it runs', async () => {
  await using app = fastify()
  const received: string[] = []
  await app.register(websocket, {
    options: {
      verifyClient: (_client: unknown, accept: (isAccepted: boolean) => void) => setTimeout(() => accept(true), 50),
      handleProtocols: ([first]: Set<string>) => first ?? false,
    },
  })
  app.get('/', { websocket: true }, (socket: MessageSocket) => {
    socket.on('message', (data) => received.push(data.toString()))
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const command = openCommandSocket(new URL(`ws://127.0.0.1:${port}/`), 'sleep 600', {
    onLine: () => undefined,
    onEnd: () => undefined,
  })
  command.interrupt()
  await expect.poll(() => received).toEqual(['sleep 600', '\u0003'])
  command.kill()
})
