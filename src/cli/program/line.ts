import type { GlobalFlags } from './command.ts'

const WITH_VALUE = ['--data', '-d', '--database', '--config', '-c', '--store']
const PLAIN = ['--json', '--quiet', '-q', '--no-color', '--debug']

/** What the command line calls, found out before any command is loaded. */
export interface Line {
  /** The words, with "help users add" written as "users add --help". */
  readonly words: readonly string[]
  /** The first word that is not a flag, even if there is no such command. */
  readonly command: string | undefined
  /** The next word: a subcommand, an argument or a flag. */
  readonly member: string | undefined
  /** True if the line begins with a flag that is not global, as in "filemgr -p 9000". */
  readonly bareFlags: boolean
  /** How many words at the start are global flags with their values. */
  readonly globalWords: number
}

export function readLine(words: readonly string[]): Line {
  const start = commandIndex(words)
  const word = words[start]
  const bare = { words, command: undefined, member: undefined, bareFlags: false, globalWords: start }
  if (word === undefined) return bare
  if (word === '--version') return { ...bare, words: words.toSpliced(start, 1, 'version'), command: 'version' }
  if (word.startsWith('-')) return { ...bare, bareFlags: word !== '--help' && word !== '-h' }
  if (word === 'help')
    return {
      ...bare,
      words: [...words.toSpliced(start, 1), '--help'],
      command: words[start + 1],
      member: words[start + 2],
    }
  return { ...bare, command: word, member: words[start + 1] }
}

/** Adds "serve" to a line without a command. */
export function asServe(words: readonly string[]): string[] {
  const start = commandIndex(words)
  return [...words.slice(0, start), 'serve', ...words.slice(start)]
}

/** The global flags with a value of a line without a command. */
export function globalsFromWords(words: readonly string[]): GlobalFlags {
  const value = (...names: string[]) => {
    const index = words.findIndex((word) => names.includes(word.split('=', 1)[0] ?? ''))
    const word = words[index]
    return word?.includes('=') === true ? word.slice(word.indexOf('=') + 1) : index < 0 ? undefined : words[index + 1]
  }
  const given = {
    data: value('--data', '-d', '--database'),
    config: value('--config', '-c'),
    store: value('--store'),
  }
  const plain = { json: false, quiet: false, debug: false }
  return { ...plain, ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined)) }
}

/** Index of the command: the first word after the global flags. */
function commandIndex(words: readonly string[]): number {
  let index = 0
  while (index < words.length) {
    const name = words[index]?.split('=', 1)[0] ?? ''
    if (PLAIN.includes(name)) index += 1
    else if (WITH_VALUE.includes(name)) index += words[index]?.includes('=') === true ? 1 : 2
    else break
  }
  return index
}

const OWNER = /^(-[ui]|--(user|username|id))$/
/** Such as "--username=bob", "-u=bob" and "-ubob". */
const OWNER_WITH_VALUE = /^(-[ui].+|--(user|username|id)=.*)$/

/**
 * Rewrites the flags that File Browser accepts before a subcommand: "rules --username bob ls" becomes "rules ls --user bob".
 * Its other names are aliases of our commands.
 */
export function withoutOldWords(line: readonly string[]): string[] {
  const start = commandIndex(line)
  if (line[start] !== 'rules') return [...line]
  const rest = line.slice(start + 1)
  const first = rest[0] ?? ''
  const count = OWNER.test(first) ? 2 : OWNER_WITH_VALUE.test(first) ? 1 : 0
  const moved = rest.length > count ? [...rest.slice(count), ...rest.slice(0, count)] : rest
  return [...line.slice(0, start + 1), ...moved.map((word) => word.replace(/^--username(?=$|=)/, '--user'))]
}
