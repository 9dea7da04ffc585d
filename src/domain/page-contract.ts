/** The languages of the page, as accounts name them. */
export const LOCALES = [
  'he', 'hu', 'ar', 'ca', 'cs', 'de', 'el', 'en', 'es', 'fr', 'is', 'it', 'ja', 'ko', 'nl-be', 'no', 'pl', 'pt-br', 'pt',
  'ro', 'ru', 'sk', 'sv-se', 'tr', 'uk', 'vi', 'zh-cn', 'zh-tw',
] as const // prettier-ignore

export type Locale = (typeof LOCALES)[number]

/** Sent by our own page with each call. Another site cannot send it without leave, which nobody is given. */
export const PAGE_HEADER = 'x-filemgr-page'

/** Of the page itself, and never of a file that somebody uploaded: only such an answer is kept for when there is no network. */
export const SHELL_HEADER = 'x-filemgr-shell'
