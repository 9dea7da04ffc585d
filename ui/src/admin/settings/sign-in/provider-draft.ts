import type { Mapping } from '../../../../../src/domain/accounts/provider.ts'
import type { ProviderView } from '../../../../../src/domain/accounts/provider-view.ts'
import { defaultsOf, leaves, type LeafSchema } from '../../../../../src/domain/schema/schema-tools.ts'
import type { ProviderKind } from './provider-kinds.ts'
import type { ProviderFields } from './use-providers.ts'

/** What is typed. An empty secret keeps the one that is set. */
export interface Draft {
  readonly id: string
  readonly secret: string
  readonly texts: Readonly<Record<string, string>>
  readonly choices: Readonly<Record<string, boolean>>
  readonly mapping: readonly Mapping[]
}

/** @param provider undefined for a new one, which has the defaults of its type */
export function draftOf({ schema, main, wide, more, choices }: ProviderKind, provider?: ProviderView): Draft {
  const values: Readonly<Record<string, unknown>> = { ...defaultsOf(schema), ...provider }
  const typed = [...main, ...wide, ...more].map(({ name }) => [name, textOf(values[name])] as const)
  return {
    id: provider?.id ?? '',
    secret: '',
    texts: Object.fromEntries(typed),
    choices: Object.fromEntries(choices.map(({ name }) => [name, values[name] === true])),
    mapping: provider?.mapping ?? [],
  }
}

function textOf(value: unknown = ''): string {
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** The fields to send. */
export function fieldsOf(kind: ProviderKind, { texts, choices, mapping, secret }: Draft) {
  const values = Object.entries(texts).map(([name, text]) => [name, valueOf(text.trim(), fieldSchema(kind, name))])
  return {
    ...(Object.fromEntries(values) as Pick<ProviderFields, 'name'>),
    ...choices,
    mapping: [...mapping],
    ...(secret !== '' && { secret }),
  }
}

function valueOf(text: string, { type }: LeafSchema): unknown {
  if (type === 'integer') return Number(text)
  return type === 'array' ? text.split(/\s+/).filter(Boolean) : text
}

/** The type and the limits of a field. */
export function fieldSchema({ schema }: ProviderKind, name: string): LeafSchema {
  return leaves(schema).find(({ key }) => key === name)?.schema ?? {}
}
