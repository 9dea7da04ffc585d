import { type Locale, LOCALES } from '../../../src/domain/page-contract.ts'

/** Language tags of browsers whose catalogue has another name. */
const ALIASES: Readonly<Record<string, Locale>> = {
  nb: 'no',
  nn: 'no',
  sv: 'sv-se',
  nl: 'nl-be',
  iw: 'he',
  zh: 'zh-cn',
  'zh-hans': 'zh-cn',
  'zh-hant': 'zh-tw',
  'zh-hk': 'zh-tw',
  'zh-mo': 'zh-tw',
}

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr'
}

/**
 * The best catalogue for the user's languages, most preferred first: "sv" matches "sv-se", "zh-Hant-HK" matches "zh-tw",
 * "de-AT" matches "de".
 */
export function chooseLocale(preferred: readonly string[]): Locale {
  for (const tag of preferred) {
    const parts = tag.toLowerCase().split(/[-_]/)
    for (let length = parts.length; length > 0; length--) {
      const candidate = parts.slice(0, length).join('-')
      const found = LOCALES.find((locale) => locale === candidate) ?? ALIASES[candidate]
      if (found !== undefined) return found
    }
  }
  return 'en'
}
