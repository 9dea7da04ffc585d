import { getServer, updateServer } from '../../../../../../src/api/server.ts'
import { formatValue } from '../../../../../../src/domain/parse-value.ts'
import type { FormField } from '../../../../../../src/domain/forms.ts'
import type { OptionView } from '../../../../../../src/domain/server-options.ts'
import { useClient } from '../../../../api/client-context.tsx'
import { type MessageId, useText } from '../../../../i18n/use-text.tsx'
import { Badge } from '../../../../kit/feedback/note.tsx'
import { SettingCard } from '../../../../kit/page/settings.tsx'
import { useToasts } from '../../../../kit/feedback/toast.tsx'
import { FormFooter } from '../../../forms/form-footer.tsx'
import { FormRow } from '../../../forms/form-row.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { saveConfirmed } from '../../../forms/save-confirmed.ts'
import { useConfirmed } from '../../../../files/actions/use-confirmed.ts'
import { ifMatch } from '../use-settings-form.ts'
import { editable, savable, SERVER_FIELDS, type ServerValues } from './server-values.ts'
const LOCKED_BY: Readonly<Partial<Record<OptionView['source'], MessageId>>> = {
  flag: 'server.byFlag',
  environment: 'server.byEnvironment',
  'config file': 'server.byFile',
}

/** Values that count from the next start of the server on. */
export function ServerSection() {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const form = useForm<ServerValues>({
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

/** Where the value comes from, and whether another one is in force until the next start. */
function OptionMarks({ field, view }: { readonly field: FormField; readonly view: OptionView }) {
  const t = useText()
  const source = LOCKED_BY[view.source]
  return (
    <>
      {view.locked && <Badge icon="lock">{source === undefined ? t('server.startOnly') : t(source)}</Badge>}
      {view.waiting && (
        <Badge tone="warning" icon="clock">
          {t('server.waiting', { value: inForce(field, view.value) || t('form.nothing') })}
        </Badge>
      )}
    </>
  )
}

function inForce(field: FormField, value: unknown): string {
  return formatValue(field.leaf, value)
}
