import type { FormField } from '../../../../src/domain/schema/forms.ts'
import { setAt, valueAt, type LeafSchema } from '../../../../src/domain/schema/schema-tools.ts'
import { parseDuration } from '../../../../src/domain/text/units.ts'
import type { MessageId } from '../../i18n/use-text.tsx'

type Draft = Readonly<Record<string, unknown>>

/** The fields whose values differ, in the order of the form. */
export function changedFields(fields: readonly FormField[], before: Draft, now: Draft): FormField[] {
  return fields.filter(({ leaf }) => !isSame(valueAt(before, leaf.path), valueAt(now, leaf.path)))
}

/** The draft with one field changed. */
export function withValue<D extends Draft>(draft: D, path: readonly string[], value: unknown): D {
  const next = structuredClone(draft) as Record<string, unknown>
  setAt(next, path, value)
  return next as D
}

/**
 * Merges after another user has saved: the saved values, with the changes made here.
 *
 * @param base the values the form started with
 */
export function rebased<D extends Draft>(fields: readonly FormField[], base: D, draft: D, saved: D): D {
  return changedFields(fields, base, draft).reduce(
    (next, { leaf }) => withValue(next, leaf.path, valueAt(draft, leaf.path)),
    saved,
  )
}

/** A field that two users changed to different values. */
export interface FieldConflict {
  readonly field: FormField
  readonly ownValue: unknown
  readonly savedValue: unknown
}

/** Fields that both users changed, to different values. */
export function fieldConflicts(fields: readonly FormField[], base: Draft, draft: Draft, saved: Draft): FieldConflict[] {
  const changedByOther = new Set(changedFields(fields, base, saved))
  return changedFields(fields, base, draft).flatMap((field) => {
    const [ownValue, savedValue] = [valueAt(draft, field.leaf.path), valueAt(saved, field.leaf.path)]
    return changedByOther.has(field) && !isSame(ownValue, savedValue) ? [{ field, ownValue, savedValue }] : []
  })
}

/** The field that a server error names, such as "rules.3.path" or "auth.header"; undefined for any other field. */
export function fieldOfError(fields: readonly FormField[], path: string | undefined): FormField | undefined {
  if (path === undefined) return undefined
  return fields.find(({ key }) => path === key || path.startsWith(`${key}.`) || path.endsWith(`.${key}`))
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

interface FieldProblem {
  readonly id: MessageId
  readonly values?: Readonly<Record<string, string | number>>
}

/** Validates a value before it is sent. The server checks more. */
export function fieldProblem(
  { leaf: { schema, annotation }, widget }: FormField,
  value: unknown,
): FieldProblem | undefined {
  if (value === undefined) return missing(widget)
  if (typeof value === 'number') return numberProblem(schema, value, widget)
  if (typeof value === 'string') {
    if (widget === 'duration' && parseDuration(value) === undefined) return { id: 'form.duration' }
    return textProblem(schema, value, annotation.example)
  }
  if (!Array.isArray(value)) return undefined
  if (value.length > (schema.maxItems ?? Infinity))
    return { id: 'form.tooMany', values: { maximum: schema.maxItems ?? 0 } }
  for (const word of value) {
    const problem = typeof word === 'string' ? textProblem(schema.items ?? {}, word, annotation.example) : undefined
    if (problem !== undefined) return problem
  }
  return undefined
}

function missing(widget: FormField['widget']): FieldProblem {
  if (widget === 'bytes') return { id: 'form.size' }
  return widget === 'mode' ? { id: 'form.mode' } : { id: 'form.number' }
}

function numberProblem(
  { minimum = -Infinity, maximum = Infinity }: LeafSchema,
  value: number,
  widget: FormField['widget'],
): FieldProblem | undefined {
  // The limits are no octal numbers.
  if (widget === 'mode' && (value < minimum || value > maximum)) return missing(widget)
  if (value < minimum) return { id: 'form.tooSmall', values: { minimum } }
  return value > maximum ? { id: 'form.tooLarge', values: { maximum } } : undefined
}

function textProblem(schema: LeafSchema, value: string, example?: string): FieldProblem | undefined {
  if (value.length < (schema.minLength ?? 0)) return { id: 'form.empty' }
  if (value.length > (schema.maxLength ?? Infinity)) {
    return { id: 'form.tooLong', values: { maximum: schema.maxLength ?? 0 } }
  }
  if (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)) return undefined
  return example === undefined ? { id: 'form.pattern' } : { id: 'form.example', values: { example } }
}
