/** The languages of the page, as stored in accounts. */
export const LOCALES = [
  'he', 'hu', 'ar', 'ca', 'cs', 'de', 'el', 'en', 'es', 'fr', 'is', 'it', 'ja', 'ko', 'nl-be', 'no', 'pl', 'pt-br', 'pt',
  'ro', 'ru', 'sk', 'sv-se', 'tr', 'uk', 'vi', 'zh-cn', 'zh-tw',
] as const // prettier-ignore

export type Locale = (typeof LOCALES)[number]

/** Where visitors sign in. */
export const LOGIN_PATH = '/login'

/** Where users see the ways into their account. */
export const WAYS_PATH = '/settings/security'

/** Sent by our page with each call. Prevents CSRF: other sites cannot send it without CORS permission, which is never given. */
export const PAGE_HEADER = 'x-filemgr-page'

/** Marks responses of the page itself, never uploaded files: only these are cached for offline use. */
export const SHELL_HEADER = 'x-filemgr-shell'

/** Marks refusals during maintenance, to distinguish them from a 503 of a proxy. */
export const MAINTENANCE_HEADER = 'x-filemgr-maintenance'
