import { createContext, use, useContext } from 'react'
import type { TextPart } from './parts.ts'
import type { Translations } from './translations.ts'

const TranslationsContext = createContext<Translations | undefined>(undefined)

export const TranslationsProvider = TranslationsContext.Provider

/**
 * Suspends until these texts are loaded. Call it first in a screen or prompt with texts that the first view does not need.
 */
export function useTextPart(...parts: readonly TextPart[]): void {
  const translations = useContext(TranslationsContext)
  if (translations === undefined) throw new Error('TranslationsProvider is missing above this component')
  const needed = parts.filter((part) => !translations.has(part)).map((part) => translations.need(part))
  for (const promise of needed) use(promise)
}
