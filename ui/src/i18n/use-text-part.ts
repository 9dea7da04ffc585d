import { createContext, use, useContext } from 'react'
import type { TextPart } from './parts.ts'
import type { Translations } from './translations.ts'

const TranslationsContext = createContext<Translations | undefined>(undefined)

export const TranslationsProvider = TranslationsContext.Provider

/** Marked as React marks a promise that it has waited for, so that `use` returns at once. */
const LOADED = Object.assign(Promise.resolve(), { status: 'fulfilled', value: undefined })

/**
 * Suspends until these texts are loaded. Call it first in a screen or prompt with texts that the first view does not need.
 */
export function useTextPart(...parts: readonly TextPart[]): void {
  const translations = useContext(TranslationsContext)
  if (translations === undefined) throw new Error('TranslationsProvider is missing above this component')
  // React warns of a component that has suspended and then uses no promise.
  for (const part of parts) use(translations.has(part) ? LOADED : translations.need(part))
}
