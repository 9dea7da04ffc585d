import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Locale, LOCALES } from '../../../../src/domain/page-contract.ts'
import { problemsOfMessage } from '../../../helpers/unit/check-message.ts'
import { englishWords } from '../../../helpers/unit/english-words.ts'
const FOLDER = join(import.meta.dirname, '../../../../ui/src/i18n/catalogues')
const english = read('en')
const locales = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length) as Locale)
const translated = locales.filter((locale) => locale !== 'en').map((locale) => [locale, read(locale)] as const)

function read(locale: string): Record<string, string> {
  return JSON.parse(readFileSync(join(FOLDER, `${locale}.json`), 'utf8')) as Record<string, string>
}

describe('the catalogues', () => {
  it('exist for every language of an account', () => {
    expect(locales.toSorted()).toEqual(LOCALES.toSorted())
  })

  it.each(translated)('have the same messages in "%s" as in English', (_locale, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(english))
  })

  it.each(translated)('have the right values, plural forms, tags and typography in "%s"', (locale, texts) => {
    const problems = Object.entries(texts).flatMap(([id, text]) =>
      problemsOfMessage(locale, english[id] ?? '', text).map((problem) => `${id} ${problem}: ${text}`),
    )
    expect(problems).toEqual([])
  })

  it.each(translated)('contain no untranslated English in "%s"', (locale, texts) => {
    expect(englishWords(locale, english, texts)).toEqual([])
  })
})
