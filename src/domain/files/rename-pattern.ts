import { type Static, Type } from 'typebox'
import { fail } from '../errors.ts'
import { composed, foldName, rangesOf } from '../text/fold.ts'
import type { Resource } from './resource.ts'
import { stemLength } from './new-name.ts'

const LETTERS = ['keep', 'lower', 'upper', 'words'] as const
const MAX_TEXT = 255

/**
 * How the new names of several entries are made: text is found and replaced in the old name, the template is filled, then the
 * letters are changed. The extension of a file stays, unless `extension` is set.
 */
export const RenamePattern = Type.Object({
  template: Type.Optional(
    Type.String({
      default: '{name}',
      maxLength: MAX_TEXT,
      title: 'New name',
      description: 'without the extension; {name} is the old name, {n} a counter, {date} the day of the last change',
    }),
  ),
  find: Type.Optional(Type.String({ maxLength: MAX_TEXT, title: 'Text to find', description: 'in the old name' })),
  replace: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, title: 'Text to put in its place', description: 'nothing by default' }),
  ),
  ignoreCase: Type.Optional(Type.Boolean({ default: false, title: 'Find upper and lower case letters alike' })),
  letters: Type.Optional(
    Type.Enum(LETTERS, {
      default: 'keep',
      title: 'Letters of the new name',
      description: 'as they are, lower case, upper case, or with a capital at the start of each word',
    }),
  ),
  extension: Type.Optional(
    Type.Boolean({ default: false, title: 'Find, replace and change letters in extensions too' }),
  ),
  start: Type.Optional(Type.Integer({ default: 1, minimum: 0, maximum: 1e9, title: 'First number of the counter' })),
  step: Type.Optional(Type.Integer({ default: 1, minimum: 1, maximum: 1e6, title: 'From one number to the next' })),
  digits: Type.Optional(
    Type.Integer({ default: 1, minimum: 1, maximum: 10, title: 'Least digits of a number, filled up with zeros' }),
  ),
  date: Type.Optional(
    Type.String({
      default: 'YYYY-MM-DD',
      maxLength: 64,
      title: 'Form of a date',
      description: 'YYYY, MM, DD, hh, mm and ss stand for its parts',
    }),
  ),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, title: 'Time zone of dates', description: 'such as Europe/Berlin; otherwise UTC' }),
  ),
})
export type RenamePattern = Static<typeof RenamePattern>

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
