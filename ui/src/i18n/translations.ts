import { type I18n, setupI18n } from '@lingui/core'
import { chooseLocale, directionOf } from './locales.ts'
import { type Folded, unfold } from './unfold.ts'

/** Compiled while building; each is a chunk of its own. The second ones hold what the first view does not say. */
const FIRST = import.meta.glob<Folded>('./*.json', { import: 'default', query: '?first' })
const LATER = import.meta.glob<Folded>('./*.json', { import: 'default', query: '?later' })

/** Milliseconds before the rest is asked for again, when it did not come. */
const PATIENCE = 2000

/** Locale to the file that holds it. */
const FILES = new Map(Object.keys(FIRST).map((file) => [file.slice(2, -'.json'.length), file]))

export interface Translations {
  readonly i18n: I18n
  /** Fetches the best catalogue for these languages, most wanted first, and turns the page to it. */
  use(languages: readonly string[]): Promise<void>
}

export function createTranslations(page: Document): Translations {
  // Nothing is said rather than the name of a message, for the moment until the second part is there.
  const i18n = setupI18n({ missing: () => '' })

  const loadRest = async (locale: string, load: () => Promise<Folded>): Promise<void> => {
    try {
      i18n.load(locale, unfold(await load()))
    } catch {
      // Not there: the network, or a newer version of the page. Its parts would not come either, and say so.
      setTimeout(() => void loadRest(locale, load), PATIENCE)
    }
  }

  return {
    i18n,
    async use(languages) {
      const locale = chooseLocale(languages, [...FILES.keys()])
      if (locale === i18n.locale) return
      const file = FILES.get(locale) ?? ''
      const [loadFirst, loadLater] = [FIRST[file], LATER[file]]
      if (loadFirst === undefined || loadLater === undefined) throw new Error(`there is no catalogue "${locale}"`)
      i18n.loadAndActivate({ locale, messages: unfold(await loadFirst()) })
      void loadRest(locale, loadLater)
      page.documentElement.lang = locale
      page.documentElement.dir = directionOf(locale)
    },
  }
}
