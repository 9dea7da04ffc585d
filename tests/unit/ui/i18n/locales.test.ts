import { describe, expect, it } from 'vitest'
import { chooseLocale, directionOf } from '../../../../ui/src/i18n/locales.ts'

describe('the choice of a language', () => {
  it.each([
    [['sv'], 'sv-se'],
    [['de-AT', 'fr'], 'de'],
    [['pt-BR'], 'pt-br'],
    [['pt-PT'], 'pt'],
    [['zh-Hant-HK'], 'zh-tw'],
    [['zh'], 'zh-cn'],
    [['nb-NO'], 'no'],
    [['nl'], 'nl-be'],
    [['iw'], 'he'],
    [['tlh', 'ja'], 'ja'],
    [['en-GB'], 'en'],
    [['tlh'], 'en'],
    [[], 'en'],
  ])('reads %j as %s', (languages, expected) => {
    expect(chooseLocale(languages)).toBe(expected)
  })

  it('is right-to-left only for Arabic and Hebrew', () => {
    expect(['ar', 'he', 'en', 'ja'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr'])
  })
})
