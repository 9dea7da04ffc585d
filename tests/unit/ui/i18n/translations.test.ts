import type { Messages } from '@lingui/core'
import { describe, expect, it } from 'vitest'
import { type Locale, LOCALES } from '../../../../src/domain/page-contract.ts'
import { LANGUAGE_NAMES } from '../../../../ui/src/i18n/languages.ts'
import type { TextPart } from '../../../../ui/src/i18n/parts.ts'
import { createTranslations } from '../../../../ui/src/i18n/translations.ts'
interface Request {
  readonly name: string
  answer(): Promise<void>
  fail(): Promise<void>
}

/** A text server that responds when the test says so. Each text names its language and part. */
function slowServer() {
  const page = { documentElement: { lang: '', dir: '' } }
  const requests: Request[] = []
  const fetchPart = (locale: Locale, part: TextPart) =>
    new Promise<Messages>((resolve, reject) => {
      const name = `${locale}.${part}`
      requests.push({
        name,
        answer: async () => await settle(() => resolve({ [part]: [name] })),
        fail: async () => await settle(() => reject(new Error('no network'))),
      })
    })
  const translations = createTranslations(page as Document, fetchPart, () => Promise.resolve())
  const takeRequest = (name: string): Request => {
    const request = requests.find((one) => one.name === name)
    if (!request) throw new Error(`nobody asked for ${name}, only for ${requests.map((one) => one.name).join(', ')}`)
    requests.splice(requests.indexOf(request), 1)
    return request
  }
  return {
    page: page.documentElement,
    requests,
    takeRequest,
    translations,
    say: (part: string) => translations.i18n._(part),
  }
}

async function settle(act: () => void): Promise<void> {
  act()
  await new Promise((resolve) => setImmediate(resolve))
}

describe('the texts of the page', () => {
  it('switch when the first part is loaded, and load the rest afterwards', async () => {
    const { page, requests, takeRequest, translations, say } = slowServer()
    void translations.use(['he-IL', 'en'])
    expect(requests.map(({ name }) => name)).toEqual(['he.first'])
    await takeRequest('he.first').answer()
    expect([page.lang, page.dir, say('first'), say('actions')]).toEqual(['he', 'rtl', 'he.first', ''])
    await takeRequest('he.actions').answer()
    expect([say('actions'), translations.has('actions'), translations.has('tools')]).toEqual([
      'he.actions',
      true,
      false,
    ])
  })

  it('are loaded by a screen that needs them, and only once', async () => {
    const { requests, takeRequest, translations, say } = slowServer()
    void translations.use(['de'])
    await takeRequest('de.first').answer()
    const needed = translations.need('settings')
    expect(translations.need('settings')).toBe(needed)
    await settle(() => undefined)
    await takeRequest('de.settings').answer()
    await needed
    expect([say('settings'), requests.some(({ name }) => name === 'de.settings')]).toEqual(['de.settings', false])
  })

  it('switch all at once, so that none is missing meanwhile', async () => {
    const { page, takeRequest, translations, say } = slowServer()
    void translations.use(['de'])
    await takeRequest('de.first').answer()
    await takeRequest('de.actions').answer()
    void translations.use(['fr'])
    await takeRequest('fr.first').answer()
    expect([page.lang, say('first'), say('actions')]).toEqual(['de', 'de.first', 'de.actions'])
    await takeRequest('fr.actions').answer()
    expect([page.lang, say('first'), say('actions')]).toEqual(['fr', 'fr.first', 'fr.actions'])
  })

  it('that arrive after a change of language are loaded in the new one', async () => {
    const { takeRequest, translations, say } = slowServer()
    void translations.use(['de'])
    await takeRequest('de.first').answer()
    const needed = translations.need('public')
    await settle(() => undefined)
    void translations.use(['fr'])
    await takeRequest('de.public').answer()
    expect(translations.has('public')).toBe(false)
    await takeRequest('fr.first').answer()
    await takeRequest('fr.public').answer()
    await needed
    expect(say('public')).toBe('fr.public')
  })

  it('are those of the last chosen language, whichever arrives last', async () => {
    const { page, takeRequest, translations, say } = slowServer()
    void translations.use(['de'])
    void translations.use(['fr'])
    await takeRequest('fr.first').answer()
    await takeRequest('de.first').answer()
    expect([page.lang, say('first')]).toEqual(['fr', 'fr.first'])
  })

  it('are requested again after a network failure; a screen gives up, and can retry', async () => {
    const { takeRequest, translations } = slowServer()
    void translations.use(['de'])
    await takeRequest('de.first').fail()
    await takeRequest('de.first').answer()
    const refused = expect(translations.need('shares')).rejects.toThrow('no network')
    await settle(() => undefined)
    for (let attempt = 1; attempt <= 3; attempt++) await takeRequest('de.shares').fail()
    await refused
    await settle(() => undefined)
    const again = translations.need('shares')
    await settle(() => undefined)
    await takeRequest('de.shares').answer()
    await again
    expect(translations.has('shares')).toBe(true)
  })
})

describe('language names', () => {
  it('exist for every language of an account, and differ', () => {
    expect(Object.keys(LANGUAGE_NAMES).toSorted()).toEqual([...LOCALES].toSorted())
    expect(new Set(Object.values(LANGUAGE_NAMES)).size).toBe(28)
  })
})
