import type { TObject } from 'typebox'
import type { HeaderExample, OperationExample } from '../../api/examples/operation-example.ts'
import type { Operation } from '../../api/operation.ts'
import type { JsonSchemas } from './json-schemas.ts'

interface Described {
  readonly schemaOf: JsonSchemas['of']
  readonly example: OperationExample
  readonly headers: Readonly<Record<string, HeaderExample>>
}

const REST = 'The path, each name percent-encoded; the slashes between them may stay'

/** What stands in the address, the query and the headers of a request. */
export function parametersOf({ params, query }: Operation, { schemaOf, example, headers }: Described): object[] {
  const inPath = entriesOf(params).map(([name, schema]) => ({
    name: name === '*' ? 'path' : name,
    in: 'path',
    required: true,
    ...(name === '*' ? { description: REST } : {}),
    schema: schemaOf(schema),
    ...shown(example.params?.[name]),
  }))
  const needed: readonly string[] = query?.required ?? []
  const inQuery = entriesOf(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema: schemaOf(schema),
    ...shown(example.query?.[name]),
  }))
  const inHeaders = Object.entries(headers).map(([name, { description, example: value, required = false }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    example: value,
  }))
  return [...inPath, ...inQuery, ...inHeaders]
}

function entriesOf(schema: TObject | undefined): [string, unknown][] {
  return Object.entries(schema?.properties ?? {})
}

function shown(example: unknown): object {
  return example === undefined ? {} : { example }
}
