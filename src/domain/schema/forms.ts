import type { TSchema } from 'typebox'
import { leaves, type Annotation, type Leaf } from './schema-tools.ts'

/** How a value is edited. */
export type Widget = 'switch' | 'text' | 'number' | 'choice' | NonNullable<Annotation['widget']>

/** One field of a form, from the schema alone. */
export interface FormField {
  /** Such as "branding.name"; `leaf.path` is the same in parts. */
  readonly key: string
  readonly leaf: Leaf
  readonly title: string
  readonly description: string | undefined
  readonly widget: Widget
  /** Of a choice; "" stands for none of the others. */
  readonly choices: readonly string[]
  readonly restart: boolean
}

export interface FormGroup {
  readonly title: string
  readonly fields: readonly FormField[]
}

const OTHERS = 'Other'

/**
 * The form of a schema: its values by group, both in the order of the schema. The page draws settings from it, so that a new
 * setting has its field without a line of code; it needs no call, as the schema is part of the page.
 */
export function formOf(schema: TSchema): FormGroup[] {
  const groups = Map.groupBy(leaves(schema), ({ annotation }) => annotation.group ?? OTHERS)
  return [...groups].map(([title, inGroup]) => ({ title, fields: inGroup.map(fieldOf) }))
}

function fieldOf(leaf: Leaf): FormField {
  const { key, schema, annotation } = leaf
  return {
    key,
    leaf,
    title: schema.title ?? key,
    description: schema.description,
    widget: widgetOf(leaf),
    choices: (schema.enum ?? []).map(String),
    restart: annotation.restart === true,
  }
}

function widgetOf({ schema, annotation }: Leaf): Widget {
  if (annotation.widget !== undefined) return annotation.widget
  if (schema.enum !== undefined) return 'choice'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'array') return 'words'
  return schema.type === 'integer' ? 'number' : 'text'
}

/**
 * The id under which the page's catalogues hold the title of a field. Its hint ends in ".hint". Defaults of new users
 * share the texts of the user form, and permissions have a group of their own.
 *
 * @param form the form, where another one has fields of the same names: "server", "signin"
 */
export function fieldTextId(key: string, form = ''): string {
  const own = key.replace(/^defaults\./, '')
  if (own.startsWith('perm.')) return own.replace('perm', 'permissions')
  return form === '' ? `fields.${own}` : `fields.${form}.${own}`
}

/** The id of a choice of a field, such as "fields.branding.theme.is.light"; the empty value is "none". */
export function choiceTextId(id: string, value: string): string {
  return `${id}.is.${value === '' ? 'none' : value.replaceAll(' ', '-')}`
}
