import { fail } from '../../errors.ts'
import { rangesOf } from '../../text/find-in-text.ts'
import { composed, foldName } from '../../text/fold.ts'
import { stemLength } from '../name-text.ts'
import type { RenamePattern } from './renames.ts'
import type { Resource } from '../resource.ts'

/** The properties that a new name depends on. `modified` is RFC 3339. */
export type NamedEntry = Pick<Resource, 'name' | 'isDir' | 'modified'>

/**
 * The new names, in the order of the entries, which the counter follows; "" where only an extension would remain. The page, the
 * server and the command line all call this, so that previews show what will happen.
 *
 * @throws INVALID_INPUT for an unknown time zone
 */
export function newNames(entries: readonly NamedEntry[], pattern: RenamePattern): string[] {
  const { template = '{name}', letters = 'keep', extension = false, start = 1, step = 1, digits = 1 } = pattern
  const replaced = replacerOf(pattern)
  const dateOf = template.includes('{date}') ? dateWriterOf(pattern) : () => ''
  return entries.map(({ name, isDir, modified }, index) => {
    const source = extension ? replaced(name) : name
    const end = stemLength(source, isDir)
    const [stem, tail] = [source.slice(0, end), source.slice(end)]
    const values: Readonly<Record<string, string>> = {
      name: extension ? stem : replaced(stem),
      n: String(start + step * index).padStart(digits, '0'),
      date: dateOf(modified),
    }
    const filled = template.replaceAll(/\{(name|n|date)\}/g, (_, word: string) => values[word] ?? '')
    // Blanks at the ends may remain where a word was removed. In an unchanged name, they stay.
    const newStem = withLetters(filled === stem ? filled : filled.trim(), letters)
    if (newStem === '') return ''
    return newStem + (extension && letters !== 'words' ? withLetters(tail, letters) : tail)
  })
}

/** Replaces text in any Unicode form: names from Apple's systems often have accents as separate characters. */
function replacerOf({ find = '', replace = '', ignoreCase = false }: RenamePattern): (text: string) => string {
  const fold = ignoreCase ? foldName : composed
  return (text) => {
    const ranges = rangesOf(text, find, fold)
    const kept = [...ranges, [text.length] as const].map(([end], index) => text.slice(ranges[index - 1]?.[1] ?? 0, end))
    return kept.join(replace)
  }
}

/** @throws INVALID_INPUT */
function dateWriterOf({ date = 'YYYY-MM-DD', timeZone = 'UTC' }: RenamePattern): (modified: string) => string {
  const format = formatOf(timeZone)
  return (modified) => {
    const moment = new Date(modified)
    if (Number.isNaN(moment.getTime())) return ''
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
    const values: Readonly<Record<string, string | undefined>> = {
      YYYY: parts.get('year')?.padStart(4, '0'),
      MM: parts.get('month'),
      DD: parts.get('day'),
      hh: parts.get('hour'),
      mm: parts.get('minute'),
      ss: parts.get('second'),
    }
    return date.replaceAll(/YYYY|MM|DD|hh|mm|ss/g, (word) => values[word] ?? '')
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const parts = {
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  } as const
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { ...parts, timeZone })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return fail('INVALID_INPUT', `there is no time zone "${timeZone}"; take one such as Europe/Berlin`, {
      field: 'timeZone',
    })
  }
}

/** Independent of the language of the machine, so that server and page agree. */
function withLetters(text: string, letters: NonNullable<RenamePattern['letters']>): string {
  switch (letters) {
    case 'keep':
      return text
    case 'lower':
      return text.toLowerCase()
    case 'upper':
      return text.toUpperCase()
    case 'words':
      return text.replaceAll(
        /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu,
        ([first = '', ...rest]) => first.toUpperCase() + rest.join('').toLowerCase(),
      )
  }
}
