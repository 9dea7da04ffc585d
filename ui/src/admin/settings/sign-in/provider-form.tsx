import { type SubmitEvent, useState } from 'react'
import { providerIdFor, type ProviderView } from '../../../../../src/domain/accounts/provider-view.ts'
import type { ProviderId } from '../../../../../src/domain/ids.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { ErrorNote } from '../../../kit/feedback/note.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import { CopiedAddress } from './copied-address.tsx'
import { MappingFields } from './mapping-fields.tsx'
import { type Draft, draftOf, fieldSchema, fieldsOf } from './provider-draft.ts'
import type { KindField, ProviderKind } from './provider-kinds.ts'
import { ClaimsTrial, PersonTrial } from './provider-trial.tsx'
import styles from './providers.module.css'
import type { Providers } from './use-providers.ts'

interface ProviderFormProps {
  readonly kind: ProviderKind
  /** Undefined for a new one. */
  readonly provider: ProviderView | undefined
  readonly providers: Providers
  readonly onClose: () => void
}

const CODE = { ...CODE_INPUT, className: styles['code'] }

/** A provider with all that its type has to fill in. */
export function ProviderForm({ kind, provider, providers, onClose }: ProviderFormProps) {
  const t = useText()
  const [draft, setDraft] = useState(() => draftOf(kind, provider))
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const id = provider?.id ?? (draft.id || providerIdFor(draft.texts['name'] ?? '', () => false))
  const addressOf = useAddresses(id)
  const set = (change: Partial<Draft>): void => {
    setError(undefined)
    setDraft({ ...draft, ...change })
  }
  const fill = (values: Readonly<Record<string, string>>): void => set({ texts: { ...draft.texts, ...values } })

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    const fields = fieldsOf(kind, draft)
    const ownId = kind.hasAddresses ? { id: id as ProviderId } : {}
    const outcome =
      provider === undefined
        ? await providers.add({ ...fields, ...ownId, type: kind.type })
        : await providers.change(provider.id, fields)
    setBusy(false)
    if (outcome instanceof ApiError) setError(outcome)
    else if (outcome === true) onClose()
  }

  const field = (shown: KindField) => (
    <KindTextField
      key={shown.name}
      kind={kind}
      field={shown}
      value={draft.texts[shown.name] ?? ''}
      error={error?.field === shown.name ? error : undefined}
      onChange={(value) => fill({ [shown.name]: value })}
    />
  )
  const { secret, preset, note } = kind
  const secretHint = provider?.hasSecret === true ? 'providers.secretKept' : secret.hint
  const hasPlace = ['secret', 'id', ...Object.keys(draft.texts)].includes(error?.field ?? '')
  return (
    <form
      className={styles['form']}
      noValidate
      aria-label={provider?.name ?? t(kind.newName)}
      onSubmit={(event) => void submit(event)}
    >
      {provider === undefined && preset && (
        <div>
          <Button size="small" onClick={() => fill(preset.values)}>
            {t(preset.label)}
          </Button>
        </div>
      )}
      <div className={styles['columns']}>
        {kind.main.map(field)}
        <PasswordField
          label={t(secret.label)}
          value={draft.secret}
          error={error?.field === 'secret' && (error.reason === 'secretNeeded' ? t(secret.neededAgain) : error.message)}
          autoComplete="off"
          hint={secretHint && t(secretHint)}
          onChange={({ currentTarget }) => set({ secret: currentTarget.value })}
        />
      </div>
      {kind.wide.map(field)}
      {kind.hasAddresses && provider === undefined && (
        <TextField
          label={t('providers.id')}
          hint={t('providers.idHint')}
          {...CODE}
          value={id}
          maxLength={32}
          error={error?.field === 'id' && (error.reason === 'taken' ? t('providers.idTaken') : error.message)}
          onChange={({ currentTarget }) => set({ id: currentTarget.value })}
        />
      )}
      {kind.hasAddresses && (
        <>
          <CopiedAddress label={t('providers.redirect')} copied={t('providers.copied')} text={addressOf('callback')} />
          <CopiedAddress label={t('providers.logout')} copied={t('providers.copied')} text={addressOf('logout')} />
        </>
      )}
      <MappingFields mapping={draft.mapping} onChange={(mapping) => set({ mapping })} />
      <div className={styles['columns']}>{kind.more.map(field)}</div>
      <div className={styles['choices']}>
        {kind.choices
          .filter(({ isShown }) => isShown?.(draft.texts) ?? true)
          .map(({ name, label, hint }) => (
            <Checkbox
              key={name}
              label={
                <>
                  {t(label)}
                  <span className={styles['hint']}>{t(hint)}</span>
                </>
              }
              checked={draft.choices[name] === true}
              onChange={(on) => set({ choices: { ...draft.choices, [name]: on } })}
            />
          ))}
      </div>
      {note && <p className={styles['hint']}>{t(note.text, note.values)}</p>}
      <ErrorNote>{error && !hasPlace && problemText(t, problemOf(error))}</ErrorNote>
      {provider && (kind.type === 'ldap' ? <PersonTrial id={provider.id} /> : <ClaimsTrial id={provider.id} />)}
      <div className={styles['buttons']}>
        {provider && (
          <Button variant="danger-quiet" onClick={() => void providers.remove(provider)}>
            {t('providers.remove')}
          </Button>
        )}
        <span className="grow" />
        <Button variant="ghost" onClick={onClose}>
          {t('files.cancel')}
        </Button>
        <Button type="submit" variant="primary" progress={busy ? 'busy' : 'idle'}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  )
}

interface KindTextFieldProps {
  readonly kind: ProviderKind
  readonly field: KindField
  readonly value: string
  readonly error: ApiError | undefined
  readonly onChange: (value: string) => void
}

function KindTextField({ kind, field, value, error, onChange }: KindTextFieldProps) {
  const t = useText()
  const { type, minLength = 0, maxLength, minimum, maximum, pattern } = fieldSchema(kind, field.name)
  const required = field.required ?? (minLength > 0 || pattern !== undefined || type === 'integer')
  const hint = field.hint && t(field.hint, field.hintValues)
  const problem = (): string | undefined => {
    if (required && value.trim() === '') return t('form.empty')
    return field.hintMends ? hint : error?.message
  }
  return (
    <TextField
      label={t(field.label)}
      hint={hint}
      autoComplete="off"
      {...(!field.plain && CODE)}
      {...(type === 'integer' && { type: 'number', min: minimum, max: maximum })}
      value={value}
      maxLength={type === 'string' ? maxLength : undefined}
      required={required}
      error={error && problem()}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Addresses here that are entered at the provider. */
function useAddresses(id: string): (what: 'callback' | 'logout') => string {
  const { BaseURL, PublicURL = location.origin } = useConfig()
  return (what) => `${PublicURL}${BaseURL}/api/sign-in/${id}/${what}`
}
