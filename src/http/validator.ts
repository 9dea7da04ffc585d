import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import { FilemgrError } from '../domain/errors.ts'
import { matchKeys } from './protocol/json-body.ts'

/**
 * Checks parts of a request. Values of a query are texts and are converted; a body is taken as it is ("yes" is not a
 * boolean). Compiled at the first use: a daemon that has just started has better things to do.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let validator: Validator | undefined
  return (value: unknown) => {
    validator ??= Compile(schema)
    const candidate = prepare(value, schema, httpPart)
    return validator.Check(candidate) ? { value: candidate } : { error: refusal(validator, candidate, httpPart) }
  }
}

function prepare(value: unknown, schema: TSchema, httpPart: string | undefined): unknown {
  if (httpPart === 'body') return matchKeys(value, schema)
  return httpPart === 'querystring' ? convertQuery(value as Query, schema) : value
}

type Query = Record<string, unknown>

/** A number is taken only where the text is one: converted, "true" would be 1, and so would "1.5" as a whole number. */
function convertQuery(query: Query, schema: TSchema): unknown {
  const texts = { ...query }
  const converted = Value.Convert(schema, query) as Query
  for (const [name, value] of Object.entries(converted))
    if (typeof value === 'number' && String(value) !== texts[name]) converted[name] = texts[name]
  return converted
}

function refusal(validator: Validator, value: unknown, httpPart: string | undefined): FilemgrError {
  // An id that is no number names nothing.
  if (httpPart === 'params') return new FilemgrError('NOT_FOUND', 'there is nothing at this address')
  const first = validator.Errors(value)[0]
  const field = first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const message = first?.message ?? 'is not valid'
  if (httpPart === 'body')
    return new FilemgrError('INVALID_INPUT', `json: ${field || 'the body'} ${message}`, { field })
  return field === ''
    ? new FilemgrError('INVALID_INPUT', `the query ${message}`)
    : new FilemgrError('INVALID_INPUT', `${field}: ${message}`, { field })
}
