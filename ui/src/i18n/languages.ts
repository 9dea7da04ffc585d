import { type Locale, LOCALES } from '../../../src/domain/page-contract.ts'
import { LANGUAGE_NAMES } from './language-names.ts'
/** Each language under its own name, as its speakers look for it. */
export const LANGUAGES = LOCALES.map((locale: Locale) => ({
  value: locale,
  label: LANGUAGE_NAMES[locale],
  lang: locale,
})).sort((one, other) => one.label.localeCompare(other.label, 'en'))
