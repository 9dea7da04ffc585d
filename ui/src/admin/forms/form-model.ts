import type { FormField } from '../../../../src/domain/schema/forms.ts'
import { isRecord, valueAt, type Leaf, type LeafSchema } from '../../../../src/domain/schema/schema-tools.ts'
import { parseDuration } from '../../../../src/domain/text/units.ts'
import type { Versioned } from '../../api/client.ts'
import type { MessageId } from '../../i18n/use-text.tsx'

/** A part of a form's value that is edited, compared and merged as a whole. */
export interface Field extends Pick<FormField, 'key'> {
  readonly leaf: Pick<Leaf, 'path'>
}

/** What is being edited, and the saved values it started with. */
export interface Edit<Value> {
  readonly base: Versioned<Value>
  readonly draft: Value
}

/** The fields whose values differ, in the order of the form. */
export function changedFields<F extends Field>(fields: readonly F[], before: object, now: object): F[] {
  return fields.filter(({ leaf }) => !isSame(valueAt(before, leaf.path), valueAt(now, leaf.path)))
}

/** The draft with one field changed; its other parts stay the same objects. */
export function withValue<D>(draft: D, [name, ...path]: readonly string[], value: unknown): D {
  if (name === undefined) return value as D
  const parts: Record<string, unknown> = isRecord(draft) ? draft : {}
  return { ...parts, [name]: withValue(parts[name], path, value) } as D
}

/**
 * Merges after another user has saved: the saved values, with the changes made here.
 *
 * @param base the values the form started with
 */
export function rebased<D extends object>(fields: readonly Field[], base: D, draft: D, saved: D): D {
  return changedFields(fields, base, draft).reduce(
    (next, { leaf }) => withValue(next, leaf.path, valueAt(draft, leaf.path)),
    saved,
  )
}

/** What the form shows, and what the next edit changes. */
export function editShown<D extends object>(
  fields: readonly Field[],
  edit: Edit<D> | undefined,
  saved: Versioned<D>,
): Edit<D> {
  const untouched = { base: saved, draft: saved.value }
  if (edit === undefined) return untouched
  const { base, draft } = edit
  // Without a version, saving cannot conflict: the fields that are not edited follow changes of other users.
  const now = base.etag === null ? { base: saved, draft: rebased(fields, base.value, draft, saved.value) } : edit
  // A field reset to its saved value follows changes of other users again.
  return changedFields(fields, now.base.value, now.draft).length > 0 ? now : untouched
}

/** A field that two users changed to different values. */
export interface FieldConflict<F extends Field> {
  readonly field: F
  readonly ownValue: unknown
  readonly savedValue: unknown
}

/** Fields that both users changed, to different values. */
export function fieldConflicts<F extends Field>(
  fields: readonly F[],
  base: object,
  draft: object,
  saved: object,
): FieldConflict<F>[] {
  const changedByOther = new Set(changedFields(fields, base, saved))
  return changedFields(fields, base, draft).flatMap((field) => {
    const [ownValue, savedValue] = [valueAt(draft, field.leaf.path), valueAt(saved, field.leaf.path)]
    return changedByOther.has(field) && !isSame(ownValue, savedValue) ? [{ field, ownValue, savedValue }] : []
  })
}

/** The field that a server error names, such as "rules.3.path" or "auth.header"; undefined for any other field. */
export function fieldOfError<F extends Field>(fields: readonly F[], path: string | undefined): F | undefined {
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
