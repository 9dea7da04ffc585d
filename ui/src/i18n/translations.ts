import { type I18n, setupI18n } from '@lingui/core'
import { chooseLocale, directionOf } from './locales.ts'
import { type Folded, unfold } from './unfold.ts'

/** Compiled while building; each is a chunk of its own. */
const CATALOGUES = import.meta.glob<Folded>('./*.json', { import: 'default' })

/** Locale to the file that holds it. */
const FILES = new Map(Object.keys(CATALOGUES).map((file) => [file.slice(2, -'.json'.length), file]))

export interface Translations {
  readonly i18n: I18n
  /** Fetches the best catalogue for these languages, most wanted first, and turns the page to it. */
  use(languages: readonly string[]): Promise<void>
}

export function createTranslations(page: Document): Translations {
  const i18n = setupI18n()
  return {
    i18n,
    async use(languages) {
      const locale = chooseLocale(languages, [...FILES.keys()])
      if (locale === i18n.locale) return
      const load = CATALOGUES[FILES.get(locale) ?? '']
      if (load === undefined) throw new Error(`there is no catalogue "${locale}"`)
      i18n.loadAndActivate({ locale, messages: unfold(await load()) })
      page.documentElement.lang = locale
      page.documentElement.dir = directionOf(locale)
    },
  }
}
