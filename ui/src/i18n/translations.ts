import { type I18n, type Messages, setupI18n } from '@lingui/core'
import type { Locale } from '../../../src/domain/page-contract.ts'
import { fetchTexts } from './fetch-texts.ts'
import { chooseLocale, directionOf } from './locales.ts'
import type { TextPart } from './parts.ts'
/** What comes right after the first view. */
const AT_ONCE: readonly TextPart[] = ['work', 'later']
/** Milliseconds before texts are asked for again, when they did not come. */
const PATIENCE = 2000
/** So often are they asked for before a screen that needs them says that it cannot be shown. */
const ATTEMPTS = 3

export interface Translations {
  readonly i18n: I18n
  /** Fetches the best catalogue for these languages, most wanted first, and turns the page to it. */
  use(languages: readonly string[]): Promise<void>
  has(part: TextPart): boolean
  /** Fetches texts that the first view does without. They come along from then on when the language changes. */
  need(part: TextPart): Promise<void>
}

export function createTranslations(page: Document, fetchPart = fetchTexts, pause = wait): Translations {
  // Nothing is said rather than the name of a message, for the moment until the other parts are there.
  const i18n = setupI18n({ missing: () => '' })
  const coming = new Map<TextPart, Promise<void>>()
  const there = new Set<TextPart>()
  let wanted: Locale | undefined
  let turning = Promise.resolve()

  /** Asks again when they do not come: the network, or a newer version of the page. */
  const insist = async (locale: Locale, part: TextPart, attempts: number): Promise<Messages> => {
    try {
      return await fetchPart(locale, part)
    } catch (error) {
      if (attempts <= 1) throw error
      await pause(PATIENCE)
      return await insist(locale, part, attempts - 1)
    }
  }

  const turnTo = async (locale: Locale): Promise<void> => {
    const parts: TextPart[] = ['first', ...there]
    const messages = await Promise.all(parts.map((part) => insist(locale, part, Infinity)))
    if (locale !== wanted) return
    i18n.loadAndActivate({ locale, messages: Object.assign({}, ...messages) as Messages })
    page.documentElement.lang = locale
    page.documentElement.dir = directionOf(locale)
    for (const part of AT_ONCE) need(part, Infinity).catch(() => undefined)
  }

  const load = async (part: TextPart, attempts: number): Promise<void> => {
    await turning
    const locale = i18n.locale as Locale
    const messages = await insist(locale, part, attempts)
    // The language was changed meanwhile: this part is wanted in the new one.
    if (locale !== wanted) {
      await load(part, attempts)
      return
    }
    i18n.load(locale, messages)
    there.add(part)
  }

  const need = (part: TextPart, attempts: number): Promise<void> => {
    const known = coming.get(part)
    if (known !== undefined) return known
    const promise = load(part, attempts)
    coming.set(part, promise)
    // Kept for a while, so that the screen that waits for it sees that it failed.
    promise.catch(async () => {
      await pause(PATIENCE)
      coming.delete(part)
    })
    return promise
  }

  return {
    i18n,
    use(languages) {
      const locale = chooseLocale(languages)
      if (locale !== wanted) {
        wanted = locale
        turning = turnTo(locale)
      }
      return turning
    },
    has: (part) => there.has(part),
    need: (part) => need(part, ATTEMPTS),
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
