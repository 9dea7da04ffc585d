import type { Messages } from '@lingui/core'

/** A compiled catalogue: messages by the group and the name of their ids; a plain text is a string instead of an array. */
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
