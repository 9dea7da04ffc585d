import { type Locale, LOCALES } from '../../../src/domain/page-contract.ts'

/** Languages under their native names, so that speakers find them in any language of the page. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  ar: 'العربية',
  ca: 'Català',
  cs: 'Čeština',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  he: 'עברית',
  hu: 'Magyar',
  is: 'Íslenska',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  'nl-be': 'Nederlands (België)',
  no: 'Norsk',
  pl: 'Polski',
  pt: 'Português',
  'pt-br': 'Português (Brasil)',
  ro: 'Română',
  ru: 'Русский',
  sk: 'Slovenčina',
  'sv-se': 'Svenska',
  tr: 'Türkçe',
  uk: 'Українська',
  vi: 'Tiếng Việt',
  'zh-cn': '简体中文',
  'zh-tw': '繁體中文',
}
/** Options of a language select, sorted by native name. */
export const LANGUAGES = LOCALES.map((locale: Locale) => ({
  value: locale,
  label: LANGUAGE_NAMES[locale],
  lang: locale,
})).sort((one, other) => one.label.localeCompare(other.label, 'en'))
