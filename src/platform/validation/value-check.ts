import type { Static, TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Check, Compile, Errors } from 'typebox/schema'

/** Compiling the schema of the store takes as long as walking it along this much text. */
const SMALL = 32 * 1024
const WALKS = 2

/** Tells whether values are of a schema. */
export interface ValueCheck<S extends TSchema> {
  /** @param size characters of the value's text: what is large is worth a compiled check from the first time on */
  accepts(value: unknown, size: number): value is Static<S>
  /** What is wrong, the outermost places first; empty for a value that is accepted. */
  problems(value: unknown): readonly TLocalizedValidationError[]
}

/** Walks the schema for the first small values, since a command checks one and ends; the daemon gets it compiled. */
export function createValueCheck<S extends TSchema>(schema: S): ValueCheck<S> {
  let walks = 0
  let compiled: { Check(value: unknown): boolean } | undefined
  return {
    accepts(value, size): value is Static<S> {
      if (compiled === undefined && size <= SMALL && walks++ < WALKS) return Check(schema, value)
      compiled ??= Compile(schema)
      return compiled.Check(value)
    },
    problems: (value) => Errors(schema, value)[1],
  }
}
