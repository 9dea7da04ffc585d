import { formOf, type FormField } from '../../../../../../src/domain/forms.ts'
import { ServerOptions, type OptionView } from '../../../../../../src/domain/server-options.ts'

export type OptionViews = Readonly<Record<string, OptionView>>

/** The start-up values as they are edited, and what the server says of each. */
export interface ServerValues extends Readonly<Record<string, unknown>> {
  readonly views: OptionViews
  readonly values: Readonly<Record<string, unknown>>
}

export const SERVER_FIELDS: readonly FormField[] = formOf(ServerOptions).flatMap(({ fields }) =>
  fields.map((field) => ({ ...field, leaf: { ...field.leaf, path: ['values', ...field.leaf.path] } })),
)

/** What is saved for the next start is edited; of what is decided elsewhere the value in force is shown. */
export function editable(views: OptionViews): ServerValues {
  const values = Object.entries(views).map(([name, view]) => {
    return [name, view.locked ? view.value : (view.saved ?? view.default)] as const
  })
  return { views, values: Object.fromEntries(values) }
}

/** What is sent: null for a default, and what is decided elsewhere as it is saved; some values only a start may give. */
export function savable({ views, values }: ServerValues): Record<string, unknown> {
  const open = SERVER_FIELDS.filter(({ leaf }) => leaf.annotation.web !== false)
  const wanted = open.flatMap(({ key }) => {
    const view = views[key]
    if (view === undefined) return []
    if (view.locked) return [[key, view.saved] as const]
    const isDefault = JSON.stringify(values[key]) === JSON.stringify(view.default)
    return [[key, isDefault ? null : values[key]] as const]
  })
  return Object.fromEntries(wanted)
}
