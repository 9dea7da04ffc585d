import { createContext, use, useContext } from 'react'
import type { TextPart } from './parts.ts'
import type { Translations } from './translations.ts'

const TranslationsContext = createContext<Translations | undefined>(undefined)

export const TranslationsProvider = TranslationsContext.Provider

/**
 * Waits for texts that the first view does without, as a prompt does whose component is fetched: call it first in the
 * component. Screens wait in their routes.
 */
export function useTextPart(part: TextPart): void {
  const translations = useContext(TranslationsContext)
  if (translations === undefined) throw new Error('TranslationsProvider is missing above this component')
  if (!translations.has(part)) use(translations.need(part))
}
