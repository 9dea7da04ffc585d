import type { TSchema } from 'typebox'
import { leaves, type Annotation, type Leaf } from './schema-tools.ts'

/** How a value is edited. */
export type Widget = 'switch' | 'text' | 'number' | 'choice' | NonNullable<Annotation['widget']>

export interface FormField {
  /** Such as "branding.name". */
  readonly key: string
  readonly leaf: Leaf
  readonly title: string
  readonly description: string | undefined
  readonly widget: Widget
  /** Options of a choice; "" means none. */
  readonly choices: readonly string[]
  readonly restart: boolean
}

const OTHER_GROUP = 'Other'

/** The values of a schema by group, in declaration order. The page builds its settings forms from it. */
export function formOf(schema: TSchema) {
  const groups = Map.groupBy(leaves(schema), ({ annotation }) => annotation.group ?? OTHER_GROUP)
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
 * The id of a field's title in the page's catalogues; the id of its hint ends in ".hint". Defaults of new users share the texts
 * of the user form, and permissions have their own group.
 *
 * @param form "server" or "signin", whose fields have the same names as those of another form
 */
export function fieldTextId(key: string, form = ''): string {
  const own = key.replace(/^defaults\./, '')
  if (own.startsWith('perm.')) return own.replace('perm', 'permissions')
  return form === '' ? `fields.${own}` : `fields.${form}.${own}`
}

/** The text id of an option of a field, such as "fields.branding.theme.is.light"; the empty value is "none". */
export function choiceTextId(id: string, value: string): string {
  return `${id}.is.${value === '' ? 'none' : value.replaceAll(' ', '-')}`
}
