import { parseDuration } from '../../../../src/domain/units.ts'
import type { FormField } from '../../../../src/domain/forms.ts'
import type { LeafSchema } from '../../../../src/domain/schema-tools.ts'
import type { MessageId } from '../../i18n/use-text.tsx'
export interface FieldProblem {
  readonly id: MessageId
  readonly values?: Readonly<Record<string, string | number>>
}

/** What is wrong with a value before the server has seen it; the server checks more. */
export function fieldProblem(
  { leaf: { schema, annotation }, widget }: FormField,
  value: unknown,
): FieldProblem | undefined {
  if (value === undefined) return missing(widget)
  if (typeof value === 'number') return numberProblem(schema, value)
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
): FieldProblem | undefined {
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
