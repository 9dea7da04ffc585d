import type { Messages } from '@lingui/core'
import type { Locale } from '../../../src/domain/page-contract.ts'
import type { TextPart } from './parts.ts'

export type FetchTexts = (locale: Locale, part: TextPart) => Promise<Messages>

/** Fetches a part of a catalogue. tools/build-ui/catalogues.ts compiles them. */
export const fetchTexts: FetchTexts = async (locale, part) => {
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
