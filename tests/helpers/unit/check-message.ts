import type { Locale } from '../../../src/domain/page-contract.ts'
import { type Choice, shapeOf } from './message-shape.ts'
import { problemsOfStyle } from './check-style.ts'
/** The problems of a translation, one sentence each. */
export function problemsOfMessage(locale: Locale, english: string, text: string): string[] {
  const [expected, given] = [shapeOf(english), shapeOf(text)]
  return [
    ...differences('value', expected.values, given.values),
    ...differences('tag', expected.tags, given.tags),
    ...expected.choices.flatMap((choice) => problemsOfChoice(locale, choice, given.choices)),
    ...given.choices
      .filter(({ argument }) => !expected.choices.some((choice) => choice.argument === argument))
      .map(({ argument }) => `chooses by ${argument}, which the English text does not`),
    ...problemsOfStyle(locale, english, text, given.words),
  ]
}

function differences(kind: string, expected: readonly string[], given: readonly string[]): string[] {
  return [
    ...expected.filter((item) => !given.includes(item)).map((item) => `lacks the ${kind} ${item}`),
    ...given
      .filter((item) => !expected.includes(item))
      .map((item) => `has the ${kind} ${item}, which the English text has not`),
  ]
}

/** All choices by the same value are checked together: a translation may need more of them than English. */
function problemsOfChoice(locale: Locale, expected: Choice, choices: readonly Choice[]): string[] {
  const given = choices.filter(({ argument, type }) => argument === expected.argument && type === expected.type)
  if (given.length === 0) return [`does not choose by ${expected.argument}`]
  return given.flatMap((choice) =>
    expected.type === 'select' ? problemsOfSelect(expected, choice) : problemsOfPlural(locale, expected, choice),
  )
}

function problemsOfSelect(expected: Choice, given: Choice): string[] {
  return differences(`choice of ${expected.argument}`, namesOf(expected), namesOf(given))
}

function problemsOfPlural(locale: Locale, expected: Choice, given: Choice): string[] {
  const { argument, type } = expected
  const rules = new Intl.PluralRules(locale, { type: type === 'plural' ? 'cardinal' : 'ordinal' })
  const forms = namesOf(given).filter((name) => !name.startsWith('='))
  const mustSayNumber = expected.branches.find(({ name }) => name === 'other')?.saysNumber ?? false
  return [
    ...differences(`form of ${argument}`, rules.resolvedOptions().pluralCategories, forms),
    // An empty text would be a different sentence in every language.
    ...(namesOf(expected).includes('=0') && !namesOf(given).includes('=0') ? [`lacks the form =0 of ${argument}`] : []),
    ...given.branches
      .filter(({ name, saysNumber }) => mustSayNumber && !saysNumber && !isOneNumber(rules, name, namesOf(given)))
      .map(({ name }) => `the form ${name} of ${argument} stands for several numbers and has to say which (#)`),
  ]
}

const NUMBERS = [...Array.from({ length: 300 }, (_, number) => number), 1_000_000, 2_000_000]

/** Whether a plural form applies to a single number only, ignoring numbers with their own form ("=1"). */
function isOneNumber(rules: Intl.PluralRules, form: string, forms: readonly string[]): boolean {
  if (form.startsWith('=')) return true
  return NUMBERS.filter((number) => !forms.includes(`=${number}`) && rules.select(number) === form).length <= 1
}

function namesOf({ branches }: Choice): string[] {
  return branches.map(({ name }) => name)
}
