import { fail } from '../errors.ts'

/** One word of a command line. */
export interface CommandWord {
  readonly text: string
  /** The first unquoted character that has a meaning only in a shell. */
  readonly forShell?: string | undefined
}

const SPACE = /[ \t\r\n]/
const FOR_SHELL = /[|&;<>()`]/

/**
 * Splits a line into words like a POSIX shell, with quotes, backslashes and comments, but without any expansion.
 *
 * @throws INVALID_INPUT for an unclosed quote or a trailing backslash, with the messages that old clients know
 */
export function splitCommand(line: string): CommandWord[] {
  const words: CommandWord[] = []
  for (let at = startOfWord(line, 0); at < line.length;) {
    const { end, ...word } = readWord(line, at)
    words.push(word)
    at = startOfWord(line, end)
  }
  return words
}

/** Skips spaces, comments, and backslashes that continue the line. */
function startOfWord(line: string, from: number): number {
  let at = from
  for (;;) {
    if (SPACE.test(line[at] ?? '')) {
      at += 1
    } else if (line.startsWith('\\\n', at)) {
      at += 2
    } else if (line[at] === '#') {
      const newline = line.indexOf('\n', at)
      at = newline < 0 ? line.length : newline
    } else {
      return at
    }
  }
}

function readWord(line: string, start: number): CommandWord & { readonly end: number } {
  let text = ''
  let forShell: string | undefined
  let quote = ''
  let at = start
  for (; at < line.length; at += 1) {
    const char = line[at] ?? ''
    if (char === '\\' && quote !== "'") {
      at += 1
      text += escaped(line[at], quote)
    } else if (quote !== '') {
      if (char === quote) quote = ''
      else text += char
    } else if (char === '"' || char === "'") {
      quote = char
    } else if (SPACE.test(char)) {
      break
    } else {
      if (FOR_SHELL.test(char)) forShell ??= char
      text += char
    }
  }
  if (quote !== '') fail('INVALID_INPUT', 'EOF found when expecting closing quote')
  return { text, forShell, end: at }
}

/** @returns what a backslash and the character after it stand for */
function escaped(next: string | undefined, quote: string): string {
  if (next === undefined) fail('INVALID_INPUT', 'EOF found after escape character')
  // The backslash continues the line.
  if (next === '\n') return ''
  return quote === '' || '$`"\\'.includes(next) ? next : `\\${next}`
}

/** The inverse of `splitCommand`. */
export function joinCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
