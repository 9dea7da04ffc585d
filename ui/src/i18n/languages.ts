import { LOCALES } from '../../../src/domain/locales.ts'

/** Each language under its own name, as its speakers look for it. */
export const LANGUAGES = LOCALES.map((locale) => ({
  value: locale,
  label: ownName(locale),
  lang: locale,
})).sort((one, other) => one.label.localeCompare(other.label, 'en'))

function ownName(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
