import { getServer, updateServer } from '../../../../../src/api/server/server-options.ts'
import { formatValue } from '../../../../../src/domain/schema/parse-value.ts'
import { type FormField, formOf } from '../../../../../src/domain/schema/forms.ts'
import { type OptionView, ServerOptions } from '../../../../../src/domain/server/server-options.ts'
import { useClient } from '../../../api/client.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { saveConfirmed } from '../../forms/use-form.ts'
import { FormFooter, useSchemaForm } from '../../forms/use-schema-form.tsx'
import { FormRow } from '../../forms/form-row.tsx'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { ifMatch } from './settings-form.tsx'

const LOCKED_BY: Readonly<Partial<Record<OptionView['source'], MessageId>>> = {
  flag: 'server.byFlag',
  environment: 'server.byEnvironment',
  'config file': 'server.byFile',
}

/** Server options, which apply after a restart. */
export function ServerSection() {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const form = useSchemaForm<ServerValues>({
    queryKey: ['server'],
    fields: SERVER_FIELDS,
    form: 'server',
    async load(signal) {
      const { value, etag } = await client.versioned(getServer, { signal })
      return { value: editable(value), etag }
    },
    async save(value, etag) {
      return await saveConfirmed(
        confirmed({
          title: t('server.passwordTitle'),
          text: t('server.passwordText'),
          label: t('settings.save'),
          send: async (password) => {
            const body = { values: savable(value), ...(password !== undefined && { current_password: password }) }
            await client.call(updateServer, { body, headers: ifMatch(etag) })
          },
        }),
      )
    },
    onSaved: () => toasts.success(t('server.saved')),
  })
  const { value } = form
  if (value === undefined) return null
  const waiting = Object.values(value.views).some((view) => view.waiting)
  return (
    <SettingCard
      title={t('server.title')}
      hint={waiting ? t('server.waitingHint') : t('server.hint')}
      onSubmit={() => void form.save()}
      footer={form.changed.length > 0 && <FormFooter form={form} />}
    >
      {SERVER_FIELDS.map((field) => {
        const view = value.views[field.key]
        return (
          view && (
            <FormRow
              key={field.key}
              field={field}
              form="server"
              value={value.values[field.key]}
              onChange={(next) => form.set(field, next)}
              error={form.errorOf(field)}
              disabled={view.locked}
              marks={<OptionMarks field={field} view={view} />}
            />
          )
        )
      })}
    </SettingCard>
  )
}

/** Where the value comes from, and whether a different one applies until the restart. */
function OptionMarks({ field, view }: { readonly field: FormField; readonly view: OptionView }) {
  const t = useText()
  const source = LOCKED_BY[view.source]
  return (
    <>
      {view.locked && <Badge icon="lock">{source === undefined ? t('server.startOnly') : t(source)}</Badge>}
      {view.waiting && (
        <Badge tone="warning" icon="clock">
          {t('server.waiting', { value: formatValue(field.leaf, view.value) || t('form.nothing') })}
        </Badge>
      )}
    </>
  )
}

type OptionViews = Readonly<Record<string, OptionView>>

/** The edited server options, with what the server reports about each. */
export interface ServerValues {
  readonly views: OptionViews
  readonly values: Readonly<Record<string, unknown>>
}

const SERVER_FIELDS: readonly FormField[] = formOf(ServerOptions).flatMap(({ fields }) =>
  fields.map((field) => ({ ...field, leaf: { ...field.leaf, path: ['values', ...field.leaf.path] } })),
)

/** Values for the form: what is saved for the next start, or the value in effect for options that are set elsewhere. */
export function editable(views: OptionViews): ServerValues {
  const values = Object.entries(views).map(([name, view]) => {
    return [name, view.locked ? view.value : (view.saved ?? view.default)] as const
  })
  return { views, values: Object.fromEntries(values) }
}

/**
 * Values to save: null for a default; options set elsewhere keep their saved value. Options that only the command line
 * may set are left out.
 */
export function savable({ views, values }: ServerValues): Record<string, unknown> {
  const open = SERVER_FIELDS.filter(({ leaf }) => leaf.annotation.web !== false)
  const entries = open.flatMap(({ key }) => {
    const view = views[key]
    if (view === undefined) return []
    if (view.locked) return [[key, view.saved] as const]
    const isDefault = JSON.stringify(values[key]) === JSON.stringify(view.default)
    return [[key, isDefault ? null : values[key]] as const]
  })
  return Object.fromEntries(entries)
}
