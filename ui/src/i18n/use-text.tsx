import type { I18n } from '@lingui/core'
import { cloneElement, Fragment, type ReactElement, type ReactNode, use, useEffect, useState } from 'react'
import type { Locale } from '../../../src/domain/page-contract.ts'
import { requiredContext } from '../lib/hooks.ts'
import type catalogue from './catalogues/en.json'
import type { TextPart } from './parts.ts'
import type { Translations } from './translations.ts'

export type MessageId = keyof typeof catalogue

type Values = Record<string, string | number>

/** Translates: `t('errors.status', { status: 404 })`. */
export type Translate = (id: MessageId, values?: Values) => string

const [I18nContext, useI18nValue] = requiredContext<{ readonly i18n: I18n }>('I18n')

interface I18nProviderProps {
  readonly i18n: I18n
  readonly children: ReactNode
}

/** Provides the texts, and renders everything that uses them again when the language changes or a part has loaded. */
export function I18nProvider({ i18n, children }: I18nProviderProps) {
  const [value, setValue] = useState({ i18n })
  useEffect(() => i18n.on('change', () => setValue({ i18n })), [i18n])
  return <I18nContext value={value}>{children}</I18nContext>
}

export function useI18n(): I18n {
  return useI18nValue().i18n
}

/** The language of the page. */
export function useLocale(): Locale {
  return useI18n().locale as Locale
}

export function useText(): Translate {
  const i18n = useI18n()
  // Names in a sentence must not reverse it. Sizes and dates may be isolated.
  return (id, values) => i18n._(id, values).replace(/[\u202a-\u202e]/g, '\ufffd')
}

/** A tag of a message with its number and its content. */
const TAG = /<(\d)>(.*?)<\/\1>/s

interface RichTextProps {
  id: MessageId
  values?: Values | undefined
  /** Elements for the tags of the message: the first replaces `<0>…</0>`. */
  elements: readonly ReactElement[]
}

/** A message with elements inside, such as a link in a sentence. */
export function RichText({ id, values, elements }: RichTextProps) {
  const t = useText()
  const parts = t(id, values).split(TAG)
  return parts.map((part, index) => {
    // The parts repeat: text, number of a tag, its content.
    if (index % 3 === 0) return part
    const element = index % 3 === 2 ? elements[Number(parts[index - 1])] : undefined
    return <Fragment key={index}>{element && cloneElement(element, undefined, part)}</Fragment>
  })
}

const [TranslationsProvider, useTranslations] = requiredContext<Translations>('Translations')
export { TranslationsProvider }

/** Marked as React marks a promise that it has waited for, so that `use` returns at once. */
const LOADED = Object.assign(Promise.resolve(), { status: 'fulfilled', value: undefined })

/**
 * Suspends until these texts are loaded. Call it first in a screen or prompt with texts that the first view does not need.
 */
export function useTextPart(...parts: readonly TextPart[]): void {
  const translations = useTranslations()
  // React warns of a component that has suspended and then uses no promise.
  const waiting = parts.map((part) => (translations.has(part) ? LOADED : translations.need(part)))
  for (const each of waiting) use(each)
}
