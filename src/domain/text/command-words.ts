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
  let text: string | undefined
  let forShell: string | undefined
  let quote = ''
  const end = (): void => {
    if (text !== undefined) words.push({ text, forShell })
    text = forShell = undefined
  }
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? ''
    if (char === '\\' && quote !== "'") {
      const next = line[(index += 1)]
      if (next === undefined) fail('INVALID_INPUT', 'EOF found after escape character')
      // A backslash before a newline continues the line.
      if (next !== '\n') text = (text ?? '') + (quote === '' || '$`"\\'.includes(next) ? next : `\\${next}`)
    } else if (quote !== '') {
      if (char === quote) quote = ''
      else text = (text ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      text ??= ''
    } else if (SPACE.test(char)) {
      end()
    } else if (char === '#' && text === undefined) {
      const newline = line.indexOf('\n', index)
      index = newline < 0 ? line.length : newline
    } else {
      if (FOR_SHELL.test(char)) forShell ??= char
      text = (text ?? '') + char
    }
  }
  if (quote !== '') fail('INVALID_INPUT', 'EOF found when expecting closing quote')
  end()
  return words
}

/** The inverse of `splitCommand`. */
export function joinCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
