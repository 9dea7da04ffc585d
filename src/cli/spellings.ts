import type { Option } from 'commander'
import { foldName, foldOldName } from '../domain/option-names.ts'
import { isBoolean, LeafOption } from './schema-options.ts'

/**
 * Rewrites the flags of one command as commander knows them, so that lines written for File Browser keep working:
 * `--baseURL` and `--noauth` become `--base-url` and `--no-auth`, `--disableExec=false` becomes `--enable-exec=true`,
 * and a boolean always carries its value (`--signup` → `--signup=true`, `--no-signup` → `--signup=false`).
 * Values and everything behind `--` stay as they are.
 */
export function normaliseFlags(line: readonly string[], options: readonly Option[]): string[] {
  const known = new Map(options.map((option) => [foldName(option.long ?? ''), option]))
  const result: string[] = []
  for (let index = 0; index < line.length; index += 1) {
    const word = line[index] ?? ''
    if (word === '--') return [...result, ...line.slice(index)]
    const flag = word.startsWith('--') ? readFlag(word, known) : shortFlag(word, options)
    if (flag === undefined) {
      result.push(word)
    } else if (isBoolean(flag.option)) {
      result.push(...writeBoolean(flag))
    } else if (flag.value === undefined) {
      result.push(flag.option.long ?? word)
      const value = line[(index += 1)]
      if (value !== undefined) result.push(value)
    } else {
      result.push(`${flag.option.long ?? ''}=${flag.value}`)
    }
  }
  return result
}

interface Flag {
  readonly option: Option
  readonly value: string | undefined
}

function readFlag(word: string, known: ReadonlyMap<string, Option>): Flag | undefined {
  const equals = word.indexOf('=')
  const name = foldName(equals < 0 ? word : word.slice(0, equals))
  const value = equals < 0 ? undefined : word.slice(equals + 1)
  const option = known.get(name) ?? known.get(foldOldName(name))
  if (option !== undefined) return { option, value }
  const opposite = name === 'disableexec' ? known.get('enableexec') : known.get(name.replace(/^no/, ''))
  if (opposite === undefined || !isBoolean(opposite)) return undefined
  return { option: opposite, value: value === 'false' ? 'true' : 'false' }
}

/** "-p 9000", "-p9000" and "-p=9000" of a valued flag, "-s" of a boolean one. */
function shortFlag(word: string, options: readonly Option[]): Flag | undefined {
  if (!/^-[a-zA-Z]/.test(word)) return undefined
  const option = options.find((candidate) => candidate.short === word.slice(0, 2))
  if (option === undefined) return undefined
  const rest = word.slice(2).replace(/^=/, '')
  // Several letters in one word are left to commander.
  if (isBoolean(option) && rest !== '' && word[2] !== '=') return undefined
  return { option, value: rest === '' ? undefined : rest }
}

function writeBoolean({ option, value = 'true' }: Flag): string[] {
  const long = option.long ?? ''
  // Flags without a schema, such as --json, are plain: there, or not.
  if (!(option instanceof LeafOption)) return value === 'false' ? [] : [long]
  return [`${long}=${value}`]
}
