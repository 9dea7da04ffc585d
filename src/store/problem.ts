import type { TLocalizedValidationError } from 'typebox/error'

/** What is wrong, and where: `{ field: 'users/0/username', problem: 'is missing' }`. Never the value: it may be secret. */
export interface Problem {
  readonly field: string
  readonly problem: string
}

const MOST = 3

/** The first few complaints of the validator, in words. */
export function describeProblems(errors: readonly TLocalizedValidationError[]): Problem[] {
  return errors
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .slice(0, MOST)
    .map(describe)
}

function describe(error: TLocalizedValidationError): Problem {
  const field = error.instancePath.slice(1)
  const within = field === '' ? '' : `${field}/`
  if (error.keyword === 'required')
    return { field: `${within}${error.params.requiredProperties[0] ?? ''}`, problem: 'is missing' }
  if (error.keyword === 'boolean') return { field, problem: 'is not a known field' }
  return { field: field === '' ? 'document' : field, problem: error.message }
}
