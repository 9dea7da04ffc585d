import { createContext, use, useContext } from 'react'
import type { TextPart } from './parts.ts'
import type { Translations } from './translations.ts'

const TranslationsContext = createContext<Translations | undefined>(undefined)

export const TranslationsProvider = TranslationsContext.Provider

/**
 * Waits for texts that are not part of the first view. Call it first in a screen or a prompt: it suspends until they are
 * there.
 */
export function useTextPart(...parts: readonly TextPart[]): void {
  const translations = useContext(TranslationsContext)
  if (translations === undefined) throw new Error('TranslationsProvider is missing above this component')
  const needed = parts.filter((part) => !translations.has(part)).map((part) => translations.need(part))
  for (const promise of needed) use(promise)
}
