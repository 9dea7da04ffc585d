import type { Locale } from '../../../src/domain/page-contract.ts'
import { type Choice, shapeOf } from './message-shape.ts'
import { problemsOfStyle } from './check-style.ts'
/** The problems of a translation, one sentence each. */
export function problemsOfMessage(locale: Locale, english: string, text: string): string[] {
  const [wanted, given] = [shapeOf(english), shapeOf(text)]
  return [
    ...differences('value', wanted.values, given.values),
    ...differences('tag', wanted.tags, given.tags),
    ...wanted.choices.flatMap((choice) => problemsOfChoice(locale, choice, given.choices)),
    ...given.choices
      .filter(({ argument }) => !wanted.choices.some((choice) => choice.argument === argument))
      .map(({ argument }) => `chooses by ${argument}, which the English text does not`),
    ...problemsOfStyle(locale, english, text, given.words),
  ]
}

function differences(what: string, wanted: readonly string[], given: readonly string[]): string[] {
  return [
    ...wanted.filter((one) => !given.includes(one)).map((one) => `lacks the ${what} ${one}`),
    ...given
      .filter((one) => !wanted.includes(one))
      .map((one) => `has the ${what} ${one}, which the English text has not`),
  ]
}

/** All choices by the same value are checked together: a translation may need more of them than English. */
function problemsOfChoice(locale: Locale, wanted: Choice, choices: readonly Choice[]): string[] {
  const given = choices.filter(({ argument, type }) => argument === wanted.argument && type === wanted.type)
  if (given.length === 0) return [`does not choose by ${wanted.argument}`]
  return given.flatMap((choice) =>
    wanted.type === 'select' ? problemsOfSelect(wanted, choice) : problemsOfPlural(locale, wanted, choice),
  )
}

function problemsOfSelect(wanted: Choice, given: Choice): string[] {
  return differences(`choice of ${wanted.argument}`, namesOf(wanted), namesOf(given))
}

function problemsOfPlural(locale: Locale, wanted: Choice, given: Choice): string[] {
  const { argument, type } = wanted
  const rules = new Intl.PluralRules(locale, { type: type === 'plural' ? 'cardinal' : 'ordinal' })
  const forms = namesOf(given).filter((name) => !name.startsWith('='))
  const mustSayNumber = wanted.branches.find(({ name }) => name === 'other')?.saysNumber ?? false
  return [
    ...differences(`form of ${argument}`, rules.resolvedOptions().pluralCategories, forms),
    // An empty text would be a different sentence in every language.
    ...(namesOf(wanted).includes('=0') && !namesOf(given).includes('=0') ? [`lacks the form =0 of ${argument}`] : []),
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
