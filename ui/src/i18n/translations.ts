import { type I18n, type Messages, setupI18n } from '@lingui/core'
import type { Locale } from '../../../src/domain/page-contract.ts'
import { chooseLocale, directionOf } from './locales.ts'
import type { TextPart } from './parts.ts'

/** Fetched right after the first view, without waiting for a screen that needs them. */
const PREFETCHED: readonly TextPart[] = ['actions', 'tools']
/** Milliseconds between two attempts to fetch a part. */
const RETRY_DELAY = 2000
/** Attempts before a screen that needs a part shows an error. */
const ATTEMPTS = 3

export interface Translations {
  readonly i18n: I18n
  /** Switches the page to the best catalogue for these languages, most preferred first. */
  use(languages: readonly string[]): Promise<void>
  has(part: TextPart): boolean
  /** Fetches a part that the first view does not need. From then on it is fetched with every change of language. */
  need(part: TextPart): Promise<void>
}

export function createTranslations(page: Document, fetchPart = fetchTexts, pause = wait): Translations {
  // Texts that are not loaded yet are empty rather than the id of the message.
  const i18n = setupI18n({ missing: () => '' })
  const pending = new Map<TextPart, Promise<void>>()
  const loaded = new Set<TextPart>()
  let chosen: Locale | undefined
  let switching = Promise.resolve()

  /** Fetching fails without a network, or after a newer version of the page was installed. */
  const fetchWithRetry = async (locale: Locale, part: TextPart, attempts: number): Promise<Messages> => {
    try {
      return await fetchPart(locale, part)
    } catch (error) {
      if (attempts <= 1) throw error
      await pause(RETRY_DELAY)
      return await fetchWithRetry(locale, part, attempts - 1)
    }
  }

  const switchTo = async (locale: Locale): Promise<void> => {
    const parts: TextPart[] = ['first', ...loaded]
    const messages = await Promise.all(parts.map((part) => fetchWithRetry(locale, part, Infinity)))
    if (locale !== chosen) return
    i18n.loadAndActivate({ locale, messages: Object.assign({}, ...messages) as Messages })
    page.documentElement.lang = locale
    page.documentElement.dir = directionOf(locale)
    for (const part of PREFETCHED) need(part, Infinity).catch(() => undefined)
  }

  const load = async (part: TextPart, attempts: number): Promise<void> => {
    const locale = chosen
    if (locale === undefined) throw new Error('no language was chosen yet')
    const [messages] = await Promise.all([fetchWithRetry(locale, part, attempts), switching])
    // The language changed meanwhile: fetch this part again in the new one.
    if (locale !== chosen) {
      await load(part, attempts)
      return
    }
    i18n.load(locale, messages)
    loaded.add(part)
  }

  const need = (part: TextPart, attempts: number): Promise<void> => {
    const known = pending.get(part)
    if (known !== undefined) return known
    const promise = load(part, attempts)
    pending.set(part, promise)
    // A failed promise stays for a moment: the screen that suspends on it must see it fail, not start over.
    promise.catch(async () => {
      await pause(RETRY_DELAY)
      pending.delete(part)
    })
    return promise
  }

  return {
    i18n,
    use(languages) {
      const locale = chooseLocale(languages)
      if (locale !== chosen) {
        chosen = locale
        switching = switchTo(locale)
      }
      return switching
    },
    has: (part) => loaded.has(part),
    need: (part) => need(part, ATTEMPTS),
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

export type FetchTexts = (locale: Locale, part: TextPart) => Promise<Messages>

/** Fetches a part of a catalogue. tools/build-ui/catalogues.ts compiles them. */
const fetchTexts: FetchTexts = async (locale, part) => {
  const file = `texts/${locale}.${part}-${String(import.meta.env['TEXTS_VERSION'])}.json`
  const response = await fetch(new URL(file, import.meta.url))
  if (!response.ok) throw new Error(`the texts "${part}" in "${locale}" could not be loaded: status ${response.status}`)
  return unfold((await response.json()) as Folded)
}

/** A compiled catalogue: group → name → message. Plain texts are strings instead of arrays. */
export type Folded = Readonly<Record<string, Readonly<Record<string, string | Messages[string]>>>>

export function unfold(folded: Folded): Messages {
  const messages: Messages = {}
  for (const [group, texts] of Object.entries(folded)) {
    for (const [name, text] of Object.entries(texts)) {
      messages[`${group}.${name}`] = typeof text === 'string' ? [text] : text
    }
  }
  return messages
}
