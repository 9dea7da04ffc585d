/** The languages of the page, as accounts name them. */
export const LOCALES = [
  'he', 'hu', 'ar', 'ca', 'cs', 'de', 'el', 'en', 'es', 'fr', 'is', 'it', 'ja', 'ko', 'nl-be', 'no', 'pl', 'pt-br', 'pt',
  'ro', 'ru', 'sk', 'sv-se', 'tr', 'uk', 'vi', 'zh-cn', 'zh-tw',
] as const // prettier-ignore

export type Locale = (typeof LOCALES)[number]
