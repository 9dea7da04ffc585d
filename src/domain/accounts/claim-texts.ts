import { isRecord } from '../schema/schema-tools.ts'
import type { Claims } from './provider-mapping.ts'

/** Levels of nested claims that are looked at. */
const MAX_DEPTH = 4
/** A provider may send a person's thousands of groups, but nothing here needs more. */
const MAX_VALUES = 20_000

/**
 * Claims as lists of texts. A nested claim has the names of all levels, as "realm_access.roles"; what is in a list of objects is
 * left out, because it would not be clear which one is meant.
 */
export function claimTexts(claims: Readonly<Record<string, unknown>>): Claims {
  const found: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  let left = MAX_VALUES
  const add = (name: string, value: unknown, depth: number): void => {
    if (isRecord(value)) {
      if (depth < MAX_DEPTH) for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner, depth + 1)
      return
    }
    const texts = [value].flat().filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
    const kept = texts.slice(0, left).map(String)
    left -= kept.length
    if (kept.length > 0) found[name] = [...(found[name] ?? []), ...kept]
  }
  for (const [name, value] of Object.entries(claims)) add(name, value, 0)
  return found
}
