import type { Writable } from 'node:stream'
import type { FilemgrError } from '../../domain/errors.ts'
import { bytesOfText } from '../../domain/files/name-text.ts'
import { printable, printableJson } from '../../domain/text/printable.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { TableStyle } from './table.ts'

/** How results are printed: as text, as one JSON value (`json`), or as ids only (`quiet`). */
export interface OutputStyle extends TableStyle {
  readonly json: boolean
  readonly quiet: boolean
  /** Questions without escape sequences. */
  readonly plain: boolean
}

export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number | undefined }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number | undefined }
}

/** The result of a command in its three forms. */
export interface Answer {
  /** With the field names of the API. */
  readonly json: unknown
  /** Printed one per line. */
  readonly ids?: readonly (string | number)[]
  /** A function is called only if needed, because tables load a library. */
  readonly text: string | (() => Promise<string>)
}

/** Results go to stdout and everything else to stderr, so that pipes contain only results. */
export interface Output extends OutputStyle {
  answer(answer: Answer): Promise<void>
  /** Says what was done. Silent with --quiet and --json. */
  notice(text: string): void
  /** Needs attention, so it is printed in every style. */
  warning(text: string): void
  line(text: string): void
}

export function createOutput(given: Omit<OutputStyle, 'width'>, { stdout, stderr }: Streams): Output {
  const style = { ...given, width: stdout.isTTY === true ? stdout.columns : undefined }
  const line = (text: string) => void stdout.write(`${text}\n`)
  return {
    ...style,
    line,
    async answer({ json, ids, text }) {
      if (style.json) line(printableJson(JSON.stringify(json)))
      // Scripts need the ids as they are, also names that are not UTF-8.
      else if (style.quiet && ids !== undefined)
        ids.forEach((id) =>
          stdout.isTTY === true ? line(printable(String(id))) : stdout.write(bytesOfText(`${id}\n`)),
        )
      else line(typeof text === 'string' ? text : await text())
    },
    notice(text) {
      if (!style.quiet && !style.json) stderr.write(`${printableLines(text)}\n`)
    },
    warning: (text) => void stderr.write(`filemgr: ${printableLines(text)}\n`),
  }
}

/** Prints one line on stderr, or the error object with --json, and the stack with --debug. */
export function writeError(
  error: FilemgrError,
  { json, debug }: { json: boolean; debug: boolean },
  stderr: Writable,
): void {
  const { code, message, details } = error
  stderr.write(
    json
      ? `${printableJson(JSON.stringify({ error: { code, message, details } }))}\n`
      : `filemgr: ${printable(message)}\n`,
  )
  if (debug) stderr.write(`${stackOf(error)}\n`)
}

function printableLines(text: string): string {
  return text
    .split('\n')
    .map((each) => printable(each))
    .join('\n')
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}

/** The log of a command: only warnings and errors, on stderr. */
export function commandLog(output: Output): Logger {
  const silent = () => undefined
  const warn = (first: string | object, message?: string) =>
    output.warning(message ?? (typeof first === 'string' ? first : ''))
  return { info: silent, warn, error: warn }
}
