import { describe, expect, it } from 'vitest'
import { problemsOfMessage } from '../../../helpers/unit/check-message.ts'
import { englishWords } from '../../../helpers/unit/english-words.ts'

const ITEMS = '{count, plural, one {# item} other {# items}}'
const NAMED = '{count, plural, one {Delete “{name}”?} other {Delete # items?}}'

describe('the check of translations', () => {
  it.each([
    ['de', ITEMS, '{count, plural, one {# Element} other {# Elemente}}'],
    ['ja', ITEMS, '{count, plural, other {# 個の項目}}'],
    ['ja', NAMED, '{count, plural, =1 {「{name}」を削除しますか？} other {# 個の項目を削除しますか？}}'],
    [
      'ar',
      ITEMS,
      '{count, plural, zero {لا عناصر} one {عنصر واحد} two {عنصران} few {# عناصر} many {# عنصرًا} other {# عنصر}}',
    ],
    [
      'ru',
      NAMED,
      '{count, plural, =1 {Удалить «{name}»?} one {Удалить # объект?} few {Удалить # объекта?} many {Удалить # объектов?} other {Удалить # объекта?}}',
    ],
    ['fr', 'Copy to “{folder}”?', 'Copier dans «\u00a0{folder}\u00a0»\u202f?'],
  ] as const)('accepts correct translations (%s)', (locale, english, text) => {
    expect(problemsOfMessage(locale, english, text)).toEqual([])
  })

  it.each([
    ['ru', ITEMS, '{count, plural, one {# объект} other {# объектов}}', 'lacks the form of count few'],
    ['de', ITEMS, '{count, plural, one {# Element} few {# Elemente} other {# Elemente}}', 'has the form of count few'],
    [
      'uk',
      NAMED,
      '{count, plural, one {Видалити «{name}»?} few {#?} many {#?} other {#?}}',
      'one of count stands for several',
    ],
    [
      'fr',
      ITEMS,
      '{count, plural, one {un élément} many {# d’éléments} other {# éléments}}',
      'one of count stands for several',
    ],
    ['de', NAMED, '{count, plural, one {Es löschen?} other {# Elemente löschen?}}', 'lacks the value name'],
    ['de', ITEMS, 'Elemente', 'does not choose by count'],
    ['de', 'Go to {name}', 'Gehe zu {nane}', 'has the value nane'],
    ['de', '<0>Offline.</0> Wait.', 'Offline. Warten Sie.', 'lacks the tag <0>'],
    [
      'de',
      '{kind, select, copy {Copying} other {Moving}}',
      '{kind, select, other {Verschieben}}',
      'lacks the choice of kind copy',
    ],
    [
      'es',
      '{count, plural, =0 {Nothing} one {# result} other {# results}}',
      '{count, plural, one {# resultado} many {# de resultados} other {# resultados}}',
      'lacks the form =0',
    ],
    ['it', 'Try again', 'Riprova!', 'exclamation mark'],
    ['fr', 'Clear the filter', "Effacer l'filtre", 'straight apostrophe'],
    ['fr', 'Sure?', 'Sûr ?', 'no-break space'],
    ['zh-cn', 'Wait, then retry', '请稍候,然后重试', 'Latin punctuation'],
    ['ro', 'Delete', 'Şterge', 'cedillas'],
    ['pl', 'Save as…', 'Zapisz jako', 'does not end like'],
    ['pl', 'Save', 'Zapisz.', 'ends in another way'],
    ['sv-se', 'Save', 'Spara ', 'begins or ends with a space'],
    ['he', 'Save', 'שמירה\u200f', 'invisible sign'],
  ] as const)('finds an error in %s: %s → %s', (locale, english, text, problem) => {
    expect(problemsOfMessage(locale, english, text).join('; ')).toContain(problem)
  })

  it('finds untranslated English', () => {
    const english = { 'a.one': 'Save file', 'a.two': 'PDF', 'a.three': 'Put the file back', 'a.four': 'Video' }
    expect(englishWords('de', english, english)).toEqual(['a.one: Save file', 'a.three: Put the file back'])
    expect(englishWords('ru', english, { 'a.one': 'Сохранить file', 'a.two': 'PDF' })).toEqual([
      'a.one: Сохранить file',
    ])
  })
})
