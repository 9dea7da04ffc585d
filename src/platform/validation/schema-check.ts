import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { fail } from '../../domain/errors.ts'

/**
 * Creates a check for untrusted values. The schema is compiled on first use.
 *
 * @returns a function that returns a valid value unchanged, and throws INVALID_INPUT naming the field and the problem otherwise
 */
export function createSchemaCheck<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  let validator: Validator | undefined
  return (value) => {
    validator ??= Compile(schema)
    if (validator.Check(value)) return value as Static<S>
    const [error] = validator.Errors(value)
    const missing = error?.keyword === 'required' ? error.params.requiredProperties[0] : undefined
    const path = [...(error?.instancePath ?? '').split('/').slice(1), ...(missing === undefined ? [] : [missing])]
    const field = path.join('.')
    const problem = missing === undefined ? problemOf(error) : 'is missing'
    return fail('INVALID_INPUT', `${field === '' ? 'the value' : field} ${problem}`, { field })
  }
}

/** What is wrong with a value, as the end of a sentence. */
export function problemOf(error: ReturnType<Validator['Errors']>[number] | undefined): string {
  // A key that the schema does not have.
  if (error?.keyword === 'boolean') return 'is not known'
  return error?.message ?? 'is not valid'
}
