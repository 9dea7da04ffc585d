import { useQuery } from '@tanstack/react-query'
import { getSignInSettings, updateSignInSettings } from '../../../../../../src/api/settings.ts'
import type { SignInChange } from '../../../../../../src/domain/auth-method.ts'
import type { FormField } from '../../../../../../src/domain/forms.ts'
import { valueAt } from '../../../../../../src/domain/schema-tools.ts'
import type { Versioned } from '../../../../api/client.ts'
import { useClient } from '../../../../api/client-context.tsx'
import { useConfig } from '../../../../api/config.tsx'
import { useText } from '../../../../i18n/use-text.tsx'
import { Button } from '../../../../kit/button/button.tsx'
import { Note } from '../../../../kit/feedback/note.tsx'
import { SettingCard, SettingRow } from '../../../../kit/page/settings.tsx'
import { useToasts } from '../../../../kit/feedback/toast.tsx'
import { FormFooter } from '../../../forms/form-footer.tsx'
import { FormRow } from '../../../forms/form-row.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { saveConfirmed } from '../../../forms/save-confirmed.ts'
import { useTellFailure } from '../../../forms/use-tell-failure.ts'
import { useConfirmed } from '../../../../files/actions/use-confirmed.ts'
import type { ServerValues } from '../server/server-values.ts'
import { changeOf, editableSignIn, neededFields, SIGN_IN_FIELDS, type SignInValues } from './sign-in-values.ts'

/** Programs are named by those only who may start one on the server. */
const PROGRAM = ['command', 'commandEnvironment']

/** Who lets people in. Whoever changes it must be let in by the new way. */
export function SignInSection() {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const { EnableExec } = useConfig()
  const confirmed = useConfirmed()
  const tellFailure = useTellFailure()
  const send = async (change: SignInChange, method: SignInValues['method']): Promise<boolean> =>
    await saveConfirmed(
      confirmed({
        title: t('signin.passwordTitle'),
        text: t('signin.passwordText'),
        label: t('settings.save'),
        checkedByProgram: method === 'hook',
        send: async (password) => {
          const body = { ...change, ...(password !== undefined && { current_password: password }) }
          await client.call(updateSignInSettings, { body })
        },
      }),
    )
  // The section of the server reads it.
  const { data: server } = useQuery<Versioned<ServerValues>>({ queryKey: ['server'], enabled: false })
  const form = useForm<SignInValues>({
    queryKey: ['settings', 'auth'],
    fields: SIGN_IN_FIELDS,
    form: 'signin',
    load: async (signal) => ({
      value: editableSignIn(await client.call(getSignInSettings, { signal })),
      etag: null,
    }),
    save: async (value, _etag, changed) => await send(changeOf(value, changed), value.method),
    onSaved: () => toasts.success(t('signin.saved')),
  })
  const { value } = form
  if (value === undefined) return null
  const removeCaptcha = async (): Promise<void> => {
    try {
      if (await send({ recaptcha: { secret: '' } }, value.method)) await form.reload()
    } catch (error) {
      tellFailure(error)
    }
  }
  const hosts = captchaHosts(server)
  const rowProps = ({ key }: FormField) => {
    if (PROGRAM.includes(key) && !EnableExec) return { disabled: true, hint: t('signin.programFixed') }
    if (key === 'recaptcha.host') return { options: hosts.map((host) => ({ value: host, label: host })) }
    return key === 'recaptcha.secret' && value.hasSecret ? { hint: t('signin.secretKept') } : {}
  }
  return (
    <SettingCard
      title={t('signin.title')}
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

/** Only a start of the server says which services there may be. */
function captchaHosts(server: Versioned<ServerValues> | undefined): readonly string[] {
  const hosts = server?.value.views['recaptchaHosts']?.value
  return Array.isArray(hosts) ? hosts.map(String) : []
}
