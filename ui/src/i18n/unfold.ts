import type { Messages } from '@lingui/core'

/** A catalogue as the build leaves it: messages by the two words of their ids, plain texts without their brackets. */
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
