import { openapiDocument } from '../../src/http/openapi/openapi.ts'
import { isRecord } from '../../src/domain/schema/schema-tools.ts'
import { packageVersion } from '../../src/platform/version.ts'

type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: string | boolean
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

interface Reply {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly description: string }>>
  readonly content?: Content
}

interface Call {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Schema[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Reply>>
}

interface Document {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Placed extends Call {
  readonly method: string
  readonly path: string
}

/** The text of docs/reference/api.md: every call of the OpenAPI document, by topic. */
export function apiReference(): string {
  const { info, paths, components } = openapiDocument({ version: packageVersion(), base: '' }) as Document
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): Placed => ({ ...call, method: method.toUpperCase(), path })),
  )
  const topics = Map.groupBy(calls, ({ tags: [topic = ''] }) => topic)
  const sections = [
    '# API reference',
    `Made from the [OpenAPI document](openapi.json) by \`npm run generate\`. A running daemon serves that document at
\`/api/openapi.json\`. [The API](../guide/api.md) shows how to sign in, with examples of the common calls.`,
    info.description,
    [...topics].map(([topic, listed]) => [`**${topic}**`, '', ...listed.map(contentsLine)].join('\n')).join('\n\n'),
    ...[...topics].flatMap(([topic, listed]) => [`## ${topic}`, ...listed.map(describe)]),
    '## Types',
    ...Object.entries(components.schemas).map(([name, schema]) => `### ${name}\n\n${fenced('ts', shapeOf(schema))}`),
  ]
  return `${sections.join('\n\n')}\n`
}

function contentsLine({ method, path, summary }: Placed): string {
  const anchor = `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
  return `- [\`${method} ${path}\`](#${anchor}): ${summary}`
}

function describe(call: Placed): string {
  const { method, path, summary, description, operationId, parameters = [], requestBody, responses } = call
  const parts = [
    `### \`${method} ${path}\``,
    `${summary}.${description === undefined ? '' : ` ${description}`}`,
    `${accessOf(call)} Operation \`${operationId}\`.`,
    parameters.length > 0 && parameterTable(parameters),
    fenced('sh', curlOf(call)),
    requestBody && bodyText(requestBody.content),
    ...Object.entries(responses).map(([status, reply]) => replyText(status, reply)),
    errorsText(responses),
  ]
  return parts.filter((part) => typeof part === 'string').join('\n\n')
}

function accessOf({ security }: Call): string {
  if (security.length === 0) return 'Needs no sign-in.'
  return security.some((scheme) => 'sharePassword' in scheme) ? 'For visitors of a link.' : 'Needs a token.'
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: location, required, description = '', schema }) => {
    const meaning = [required ? 'Required.' : '', description].filter(Boolean).join(' ')
    return `| \`${name}\` | ${location} | ${inCell(`\`${shapeOf(schema)}\``)} | ${inCell(meaning)} |`
  })
  return ['| Parameter | In | Type | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function bodyText(content: Content): string {
  return Object.entries(content)
    .map(
      ([type, { schema }]) =>
        `Body, \`${type}\`${schema === undefined ? '.' : `:\n\n${fenced('ts', shapeOf(schema))}`}`,
    )
    .join('\n\n')
}

function replyText(status: string, { $ref, description = '', headers = {}, content = {} }: Reply): string | undefined {
  if ($ref !== undefined || status.startsWith('3')) return undefined
  const types = Object.keys(content).map((type) => `\`${type}\``)
  const heads = Object.entries(headers).map(([name, header]) => `- Header \`${name}\`: ${header.description}`)
  const bodies = Object.values(content).flatMap(({ schema = {}, example }) => [
    Object.keys(schema).length > 0 && fenced('ts', shapeOf(schema)),
    typeof example === 'object' && fenced('json', JSON.stringify(example, undefined, 2)),
  ])
  const first = [`**${status}**`, [description, ...types].filter(Boolean).join('; ')].join(' ')
  return [first, heads.join('\n'), ...bodies].filter(Boolean).join('\n\n')
}

function errorsText(responses: Call['responses']): string | undefined {
  const errors = Object.entries(responses).flatMap(([status, { $ref, description }]) =>
    $ref === undefined ? [] : [description === undefined ? status : `${status} (${description})`],
  )
  return errors.length === 0 ? undefined : `Errors: ${errors.join(', ')}.`
}

function curlOf({ method, path, security, parameters = [], requestBody }: Placed): string {
  const exampleOf = ({ example, name }: Parameter) => String(example ?? name)
  const address = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, exampleOf(parameter)), path)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example !== undefined))
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleOf(parameter))}`)
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.required)
  const [type = '', content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const words = [
    'curl',
    ...(method === 'GET' || (method === 'POST' && requestBody !== undefined) ? [] : [`--request ${method}`]),
    ...(security.some((scheme) => 'token' in scheme) ? ['--header "X-Auth: $TOKEN"'] : []),
    ...headers.map((header) => `--header ${quoted(`${header.name}: ${exampleOf(header)}`)}`),
    ...bodyWords(type, content?.example),
    `"$URL${address}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
  ]
  return words.join(' ')
}

function bodyWords(type: string, example: unknown): string[] {
  if (type === '') return []
  if (type === 'multipart/form-data') return ['--form file=@logo.svg']
  if (type === 'application/json') return [`--json ${quoted(JSON.stringify(example ?? {}))}`]
  return [`--header ${quoted(`Content-Type: ${type}`)}`, '--data-binary @file']
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A JSON schema in the notation of TypeScript. */
function shapeOf(schema: Schema, indent = ''): string {
  const { $ref, anyOf, enum: values, const: value, type, items, properties, additionalProperties } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => shapeOf(one as Schema, indent)))].join(' | ')
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') return arrayOf(shapeOf((items ?? {}) as Schema, indent))
  if (type !== 'object') return typeof type === 'string' ? type : 'unknown'
  if (isRecord(properties)) return objectShape(schema, properties, indent)
  const ofAll = isRecord(additionalProperties) ? additionalProperties : firstPattern(schema)
  return `Record<string, ${ofAll === undefined ? 'unknown' : shapeOf(ofAll, indent)}>`
}

function objectShape({ required }: Schema, properties: Schema, indent: string): string {
  const needed = new Set(Array.isArray(required) ? required : [])
  const lines = Object.entries(properties).map(([name, property]) => {
    const { description } = property as Schema
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const note = typeof description === 'string' ? ` // ${description}` : ''
    return `${indent}  ${key}${needed.has(name) ? '' : '?'}: ${shapeOf(property as Schema, `${indent}  `)}${note}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function firstPattern({ patternProperties }: Schema): Schema | undefined {
  return isRecord(patternProperties) ? (Object.values(patternProperties)[0] as Schema | undefined) : undefined
}

function arrayOf(shape: string): string {
  return shape.includes(' | ') && !shape.startsWith('{') ? `(${shape})[]` : `${shape}[]`
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function inCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')
}
