import { isFilemgrError } from '../../domain/errors.ts'
import type { Leaf } from '../../domain/schema-tools.ts'
import { createSchemaCheck } from '../../platform/schema-check.ts'

/** Why a value cannot be had by a setting; undefined when it can. */
export function leafProblem({ schema }: Leaf, value: unknown): string | undefined {
  try {
    createSchemaCheck(schema as Parameters<typeof createSchemaCheck>[0])(value)
    return undefined
  } catch (error) {
    if (isFilemgrError(error, 'INVALID_INPUT')) return error.message
    throw error
  }
}
