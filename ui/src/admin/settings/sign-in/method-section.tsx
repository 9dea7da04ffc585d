import { useQuery } from '@tanstack/react-query'
import { getServer } from '../../../../../src/api/server/server-options.ts'
import { getSignInSettings } from '../../../../../src/api/settings/settings.ts'
import { SignInChange, type SignInView } from '../../../../../src/domain/accounts/auth-method.ts'
import type { OptionView } from '../../../../../src/domain/server/server-options.ts'
import { type FormField, formOf } from '../../../../../src/domain/schema/forms.ts'
import { valueAt, setAt } from '../../../../../src/domain/schema/schema-tools.ts'
import { useClient } from '../../../api/client.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { saveConfirmed } from '../../forms/use-form.ts'
import { FormFooter, useSchemaForm } from '../../forms/use-schema-form.tsx'
import { FormRow } from '../../forms/form-row.tsx'
import { useAttempt } from '../../forms/use-report-failure.ts'
import { useSaveSignIn } from './use-save-sign-in.ts'

/** Stops administrators from running programs on the host through the web: only the command line may set these. */
const PROGRAM = ['command', 'commandEnvironment']

/** How people sign in without a provider. The server checks that the administrator can still sign in after a change. */
export function MethodSection() {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const { EnableExec } = useConfig()
  const save = useSaveSignIn()
  const { attempt } = useAttempt()
  const form = useSchemaForm<SignInValues>({
    queryKey: ['settings', 'auth'],
    fields: SIGN_IN_FIELDS,
    form: 'signin',
    load: async (signal) => ({
      value: editableSignIn(await client.call(getSignInSettings, { signal })),
      etag: null,
    }),
    save: async (value, _etag, changed) => await saveConfirmed(save(changeOf(value, changed), value.method)),
    onSaved: () => toasts.success(t('signin.saved')),
  })
  const { value } = form
  const { data: hosts = [] } = useQuery({
    queryKey: ['settings', 'captchaHosts'],
    queryFn: async ({ signal }) => captchaHosts(await client.call(getServer, { signal })),
    enabled: value?.method === 'json',
  })
  if (value === undefined) return null
  const removeCaptcha = async (): Promise<void> => {
    await attempt(async () => {
      if (await saveConfirmed(save({ recaptcha: { secret: '' } }, value.method))) await form.reload()
    })
  }
  const rowProps = ({ key }: FormField) => {
    if (PROGRAM.includes(key) && !EnableExec) return { disabled: true, hint: t('signin.programFixed') }
    if (key === 'recaptcha.host') return { options: hosts.map((host) => ({ value: host, label: host })) }
    return key === 'recaptcha.secret' && value.hasSecret ? { hint: t('signin.secretKept') } : {}
  }
  return (
    <SettingCard
      title={t('signin.methodTitle')}
      hint={t('signin.hint')}
      onSubmit={() => void form.save()}
      footer={form.changed.length > 0 && <FormFooter form={form} />}
    >
      {neededFields(value.method).map((field) => (
        <FormRow
          key={field.key}
          field={field}
          form="signin"
          value={valueAt(value, field.leaf.path)}
          onChange={(next) => form.set(field, next)}
          error={form.errorOf(field)}
          {...rowProps(field)}
        />
      ))}
      {value.method === 'noauth' && (
        <Note icon="alert" tone="warning">
          {t('signin.noauthWarning')}
        </Note>
      )}
      {value.method === 'json' && value.hasSecret && (
        <SettingRow label={t('signin.captcha')} hint={t('signin.captchaOn')}>
          <Button size="small" variant="danger-quiet" onClick={() => void removeCaptcha()}>
            {t('signin.captchaRemove')}
          </Button>
        </SettingRow>
      )}
    </SettingCard>
  )
}

/** Captcha services that the server options allow. */
function captchaHosts({ recaptchaHosts }: Readonly<Record<string, OptionView>>): readonly string[] {
  return Array.isArray(recaptchaHosts?.value) ? recaptchaHosts.value.map(String) : []
}

/** The edited sign-in settings. Secrets are never shown; leaving one empty keeps it. */
interface SignInValues extends Readonly<Record<string, unknown>> {
  readonly method: SignInView['method']
  readonly hasSecret: boolean
}

export const SIGN_IN_FIELDS: readonly FormField[] = formOf(SignInChange)
  .flatMap(({ fields }) => fields)
  .filter(({ key }) => key !== 'current_password')

/** Prefixes of the fields that each sign-in method needs. */
const NEEDED: Readonly<Record<SignInView['method'], readonly string[]>> = {
  json: ['recaptcha.'],
  proxy: ['header', 'createUsers'],
  hook: ['command', 'commandEnvironment', 'createUsers'],
  noauth: [],
}

export function editableSignIn(view: SignInView): SignInValues {
  const { recaptcha, ...others } = view
  const { hasSecret, ...captcha } = recaptcha
  return { ...others, hasSecret, recaptcha: { ...captcha, secret: '' } }
}

export function neededFields(method: SignInView['method']): FormField[] {
  return SIGN_IN_FIELDS.filter(
    ({ key }) =>
      key === 'method' || NEEDED[method].some((name) => key === name || (name.endsWith('.') && key.startsWith(name))),
  )
}

/** Only changed values: sending an unchanged program would be refused. */
export function changeOf(values: SignInValues, changed: readonly FormField[]): SignInChange {
  const change: Record<string, unknown> = {}
  for (const { leaf } of changed) setAt(change, leaf.path, valueAt(values, leaf.path))
  return change
}
