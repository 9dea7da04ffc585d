import { fail } from '../errors.ts'

/** One word of a command line. */
export interface CommandWord {
  readonly text: string
  /** The first character outside of quotes that only a shell would do something with. */
  readonly forShell?: string | undefined
}

const SPACE = /[ \t\r\n]/
const FOR_SHELL = /[|&;<>()`]/

/**
 * Splits a line into words as a POSIX shell would, with quotes, backslashes and comments, and does nothing else that a
 * shell does: what comes out is handed to a program as it is.
 *
 * @throws INVALID_INPUT for a quote that is not closed, or a backslash at the end; the texts are those that old clients know
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
      // A line that goes on in the next one.
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

/** A line that `splitCommand` splits into these words again. */
export function joinCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
