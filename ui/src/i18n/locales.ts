const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur'])

/** Languages whose catalogue is named otherwise than browsers name them. */
const ALIASES: Readonly<Record<string, string>> = {
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

const FALLBACK_LOCALE = 'en'

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(locale.split('-')[0] ?? '') ? 'rtl' : 'ltr'
}

/**
 * The best catalogue for what somebody reads, most wanted first: "sv" finds "sv-se", "zh-Hant-HK" finds "zh-tw",
 * "de-AT" finds "de".
 */
export function chooseLocale(wanted: readonly string[], available: readonly string[]): string {
  for (const tag of wanted) {
    const parts = tag.toLowerCase().split(/[-_]/)
    for (let length = parts.length; length > 0; length--) {
      const candidate = parts.slice(0, length).join('-')
      const alias = ALIASES[candidate]
      if (available.includes(candidate)) return candidate
      if (alias !== undefined && available.includes(alias)) return alias
    }
  }
  return FALLBACK_LOCALE
}
