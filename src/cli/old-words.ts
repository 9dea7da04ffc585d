import { commandIndex } from './line.ts'

const OWNER = /^(-[ui]|--(user|username|id))$/

/**
 * File Browser takes the user of rules in any place and as --username: "rules -u bob ls" becomes "rules ls -u bob".
 * Other words of its are other names of our commands.
 */
export function withoutOldWords(line: readonly string[]): string[] {
  const start = commandIndex(line)
  if (line[start] !== 'rules') return [...line]
  const rest = line.slice(start + 1)
  const moved = OWNER.test(rest[0] ?? '') && rest.length > 2 ? [...rest.slice(2), ...rest.slice(0, 2)] : rest
  return [...line.slice(0, start + 1), ...moved.map((word) => word.replace(/^--username(?=$|=)/, '--user'))]
}
