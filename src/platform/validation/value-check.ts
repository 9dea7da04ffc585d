import type { Static, TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Check, Compile, Errors } from 'typebox/schema'

/** Compiling the store's schema takes as long as interpreting it for this many characters. */
const SMALL = 32 * 1024
const MAX_INTERPRETED = 2

/** Checks values against a schema. */
export interface ValueCheck<S extends TSchema> {
  /** @param size length of the value's JSON text; a large value is worth compiling the schema at once */
  accepts(value: unknown, size: number): value is Static<S>
  /** The errors, outermost fields first; empty for a valid value. */
  problems(value: unknown): readonly TLocalizedValidationError[]
}

/** Interprets the schema for the first small values, because a command checks one and exits, then compiles it. */
export function createValueCheck<S extends TSchema>(schema: S): ValueCheck<S> {
  let interpreted = 0
  let compiled: { Check(value: unknown): boolean } | undefined
  return {
    accepts(value, size): value is Static<S> {
      if (compiled === undefined && size <= SMALL && interpreted++ < MAX_INTERPRETED) return Check(schema, value)
      compiled ??= Compile(schema)
      return compiled.Check(value)
    },
    problems: (value) => Errors(schema, value)[1],
  }
}
