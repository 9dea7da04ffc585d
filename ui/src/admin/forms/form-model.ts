import type { FormField } from '../../../../src/domain/forms.ts'
import { setAt, valueAt } from '../../../../src/domain/schema-tools.ts'

type Draft = Readonly<Record<string, unknown>>

/** The fields whose values differ, in the order of the form. */
export function changedFields(fields: readonly FormField[], before: Draft, now: Draft): FormField[] {
  return fields.filter(({ leaf }) => !isSame(valueAt(before, leaf.path), valueAt(now, leaf.path)))
}

/** The draft with another value of one field; the others are left as they are. */
export function withValue<D extends Draft>(draft: D, path: readonly string[], value: unknown): D {
  const next = structuredClone(draft) as Record<string, unknown>
  setAt(next, path, value)
  return next as D
}

/**
 * What is to be saved after somebody else has saved: theirs, with the values that were changed here.
 *
 * @param base what the form began with
 */
export function rebased<D extends Draft>(fields: readonly FormField[], base: D, draft: D, theirs: D): D {
  return changedFields(fields, base, draft).reduce(
    (next, { leaf }) => withValue(next, leaf.path, valueAt(draft, leaf.path)),
    theirs,
  )
}

/** One field about which two people do not agree. */
export interface Clash {
  readonly field: FormField
  readonly mine: unknown
  readonly theirs: unknown
}

/** Fields that both changed, each to another value. */
export function clashes(fields: readonly FormField[], base: Draft, draft: Draft, theirs: Draft): Clash[] {
  const byThem = new Set(changedFields(fields, base, theirs))
  return changedFields(fields, base, draft).flatMap((field) => {
    const [mine, other] = [valueAt(draft, field.leaf.path), valueAt(theirs, field.leaf.path)]
    return byThem.has(field) && !isSame(mine, other) ? [{ field, mine, theirs: other }] : []
  })
}

/** The field that the server's "rules.3.path" or "auth.header" means; undefined when it is none of these. */
export function fieldOfError(fields: readonly FormField[], place: string | undefined): FormField | undefined {
  if (place === undefined) return undefined
  return fields.find(({ key }) => place === key || place.startsWith(`${key}.`) || place.endsWith(`.${key}`))
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
