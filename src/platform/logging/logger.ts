import { isatty } from 'node:tty'
import type { destination, DestinationStream } from 'pino'
import { fail } from '../../domain/errors.ts'
import { wellFormedText } from '../../domain/files/name-text.ts'
import { printable } from '../../domain/text/printable.ts'
import { counted } from '../../domain/text/units.ts'
import { takesStyle } from '../terminal-style.ts'
import { RotatingFile } from './rotating-file.ts'

interface LogMethod {
  (message: string): void
  (facts: object, message: string): void
}

/** Methods take fields for machines, then one sentence for people. */
export interface Logger {
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
}

export interface LogOutput extends Logger, Disposable {
  /** Opens the file again, after logrotate has moved it away. */
  reopen(): void
}

export interface LoggerOptions {
  /** "stdout", "stderr", the path of a file, or "" for none. */
  readonly destination: string
  /** The option that names the destination. */
  readonly option?: string
  /** "auto" is pretty on a terminal and JSON elsewhere. */
  readonly format?: 'auto' | 'pretty' | 'json'
  /** Without colours, also on a terminal. */
  readonly plain?: boolean
}

const LEVELS = ['info', 'warn', 'error'] as const
const SECRETS = [
  'password',
  'passwordHash',
  'current_password',
  'token',
  'tokenKey',
  'authorization',
  'cookie',
  '["x-auth"]',
]

/** @throws INVALID_INPUT if the file cannot be written */
export async function createLogger(options: LoggerOptions): Promise<LogOutput> {
  if (options.destination === '') return { ...silentLogger, reopen: () => undefined, [Symbol.dispose]: () => undefined }
  // Loaded on demand, because most commands do not log.
  const { pino } = await import('pino')
  const target = openTarget(options, pino.destination)
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: SECRETS.flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]),
    },
    wantsPretty(options) ? await prettyStream(target, hasStyle(options)) : plainStream(target),
  )
  const methods = LEVELS.map((level) => [level, methodOf((facts, message) => logger[level](facts, message))] as const)
  return {
    ...(Object.fromEntries(methods) as Record<(typeof LEVELS)[number], LogMethod>),
    reopen: () => target.reopen(),
    [Symbol.dispose]: () => target.end(),
  }
}

export const silentLogger: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

interface Target extends DestinationStream {
  reopen(): void
  end(): void
}

const STREAMS: Readonly<Record<string, number>> = { stdout: 1, stderr: 2 }

function openTarget(options: LoggerOptions, open: typeof destination): Target {
  const { destination: name, option = 'log' } = options
  const fd = STREAMS[name]
  if (fd === undefined) return openFile(name, option, wantsPretty(options))
  // Synchronous, because the last lines before a crash matter most.
  const target = open({ fd, sync: true })
  // A closed pipe must not end the server; the lines are lost.
  target.on('error', () => undefined)
  // A stream is never rotated, and pino would throw when asked to reopen it.
  return { write: (line) => target.write(line), reopen: () => undefined, end: () => target.end() }
}

/** @throws INVALID_INPUT for a file that cannot be opened */
function openFile(path: string, option: string, isPretty: boolean): Target {
  const file = new RotatingFile({ path, lostLine: (count) => lostLine(count, isPretty) })
  try {
    file.write('')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    fail('INVALID_INPUT', `--${option}: ${path} cannot be written (${String(error.code)})`, { field: option })
  }
  return {
    write(line) {
      try {
        file.write(line)
      } catch (error) {
        // A full disk must not end the server: the lines are lost until there is room, and then counted in the log.
        if (!(error instanceof Error && 'code' in error)) throw error
      }
    },
    reopen: () => file.reopen(),
    end: () => file[Symbol.dispose](),
  }
}

function lostLine(lost: number, isPretty: boolean): string {
  const time = new Date().toISOString()
  const msg = `${counted(lost, 'line')} of this log could not be written: the disk was full or failed`
  return isPretty ? `${time} ERROR: ${msg}\n` : `${JSON.stringify({ level: 'error', time, lost, msg })}\n`
}

function wantsPretty({ destination, format = 'auto' }: LoggerOptions): boolean {
  if (format !== 'auto') return format === 'pretty'
  return isTerminal(destination)
}

function hasStyle({ destination, plain }: LoggerOptions): boolean {
  return isTerminal(destination) && plain !== true && takesStyle(process.env)
}

function isTerminal(destination: string): boolean {
  const fd = STREAMS[destination]
  return fd !== undefined && isatty(fd)
}

/** Escapes the control characters that JSON permits in strings. */
function plainStream(target: Target): DestinationStream {
  return { write: (line) => target.write(`${escaped(wellFormedJson(line.trimEnd()))}\n`) }
}

/** The attack is a file name with bytes that are not UTF-8, whose line the program that collects the log refuses. */
function wellFormedJson(json: string): string {
  return json.replace(/\\(?:\\|u(d[89a-f][0-9a-f]{2}))/g, (found, unit?: string) =>
    unit === undefined ? found : wellFormedText(String.fromCharCode(parseInt(unit, 16))).replace('\\', '\\\\'),
  )
}

/** Loaded on demand: only a log on a terminal is pretty. */
async function prettyStream(target: Target, colorize: boolean): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  })
  return {
    write(line) {
      target.write(format(JSON.parse(wellFormedJson(line), escapedValue)))
    },
  }
}

function methodOf(write: (facts: object, message: string) => void): LogMethod {
  return (factsOrMessage: object | string, message?: string) => {
    if (typeof factsOrMessage === 'string') write({}, factsOrMessage)
    else write(factsOrMessage, message ?? '')
  }
}

/** Escapes values, stacks line by line: messages contain file names. */
function escapedValue(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return key === 'stack' ? value.split('\n').map(escaped).join('\n') : escaped(value)
}

/** The attack is a file name with a line break that forges a log line, or with an escape sequence that controls the terminal. */
function escaped(text: string): string {
  return printable(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
