import type { GroupId } from '../ids.ts'
import type { Mapping } from './provider.ts'

/** What a provider says about a person: claims, or attributes of a directory, each with its values. */
export type Claims = Readonly<Record<string, readonly string[]>>

/** What the claims of a person give. */
export interface Given {
  /** Undefined if no mapping is about administrators: then the account keeps what it has. */
  readonly administrator: boolean | undefined
  readonly groups: readonly GroupId[]
  /** Bytes; the largest of those that match. */
  readonly quota: number | undefined
  /** The mappings that match, for a dry run. */
  readonly matching: readonly Mapping[]
}

/** Values are compared exactly: a group of a similar name is another group. */
export function givenBy(mapping: readonly Mapping[], claims: Claims): Given {
  const matching = mapping.filter(({ claim, value }) => Object.hasOwn(claims, claim) && claims[claim]?.includes(value))
  const quotas = matching.flatMap(({ quota }) => quota ?? [])
  return {
    administrator: mapping.some(({ administrator }) => administrator === true)
      ? matching.some(({ administrator }) => administrator === true)
      : undefined,
    groups: [...new Set(matching.flatMap(({ group }) => group ?? []))],
    quota: quotas.length === 0 ? undefined : Math.max(...quotas),
    matching,
  }
}
