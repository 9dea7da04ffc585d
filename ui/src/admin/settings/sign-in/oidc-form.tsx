import { type SubmitEvent, useState } from 'react'
import { providerIdFor } from '../../../../../src/domain/accounts/provider-id.ts'
import type { Mapping } from '../../../../../src/domain/accounts/provider.ts'
import type { ProviderView } from '../../../../../src/domain/accounts/provider-view.ts'
import type { ProviderId } from '../../../../../src/domain/ids.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { ErrorNote } from '../../../kit/feedback/note.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import { CopiedAddress } from './copied-address.tsx'
import { MappingFields } from './mapping-fields.tsx'
import { ProviderTrial } from './provider-trial.tsx'
import styles from './providers.module.css'
import type { ProviderFields, ProviderFormProps } from './use-providers.ts'

/** What is typed. An empty secret keeps the one that is set. */
interface Draft {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly secret: string
  readonly scopes: string
  readonly usernameClaim: string
  readonly enabled: boolean
  readonly createUsers: boolean
  readonly signsOut: boolean
  readonly secondFactor: boolean
  readonly mapping: readonly Mapping[]
}

function draftOf(provider: ProviderView | undefined): Draft {
  return {
    id: provider?.id ?? '',
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    clientId: provider?.clientId ?? '',
    secret: '',
    scopes: (provider?.scopes ?? ['openid', 'profile', 'email']).join(' '),
    usernameClaim: provider?.usernameClaim ?? 'preferred_username',
    enabled: provider?.enabled ?? true,
    createUsers: provider?.createUsers ?? false,
    signsOut: provider?.signsOut ?? false,
    secondFactor: provider?.secondFactor ?? false,
    mapping: provider?.mapping ?? [],
  }
}

/** A provider of OpenID Connect. */
export function OidcForm({ provider, providers, onClose }: ProviderFormProps) {
  const t = useText()
  const [draft, setDraft] = useState(() => draftOf(provider))
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const id = provider?.id ?? (draft.id || providerIdFor(draft.name, () => false))
  const addressOf = useAddresses(id)
  const set = (change: Partial<Draft>): void => {
    setError(undefined)
    setDraft({ ...draft, ...change })
  }
  const problemAt = (field: string) => (error?.field === field ? problemAtField(error, t) : undefined)
  const text = (field: 'name' | 'issuer' | 'clientId' | 'scopes' | 'usernameClaim', label: MessageId) => ({
    label: t(label),
    value: draft[field],
    error: problemAt(field),
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ [field]: currentTarget.value }),
  })
  const code = { ...CODE_INPUT, className: styles['code'] }

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    const fields = fieldsOf(draft)
    const outcome =
      provider === undefined
        ? await providers.add({ ...fields, type: 'oidc', id: id as ProviderId })
        : await providers.change(provider.id, fields)
    setBusy(false)
    if (outcome instanceof ApiError) setError(outcome)
    else if (outcome === true) onClose()
  }

  const isFieldKnown = FIELDS.includes(error?.field ?? '')
  return (
    <form
      className={styles['form']}
      noValidate
      aria-label={provider?.name ?? t('providers.new')}
      onSubmit={(event) => void submit(event)}
    >
      <div className={styles['columns']}>
        <TextField {...text('name', 'providers.name')} maxLength={64} required />
        <TextField
          {...text('issuer', 'providers.issuer')}
          {...code}
          type="url"
          required
          hint={t('providers.issuerHint')}
        />
        <TextField {...text('clientId', 'providers.clientId')} {...code} required />
        <PasswordField
          label={t('providers.secret')}
          value={draft.secret}
          error={problemAt('secret')}
          autoComplete="off"
          hint={t(provider?.hasSecret === true ? 'providers.secretKept' : 'providers.secretHint')}
          onChange={({ currentTarget }) => set({ secret: currentTarget.value })}
        />
      </div>
      {provider === undefined && (
        <TextField
          label={t('providers.id')}
          hint={t('providers.idHint')}
          {...code}
          value={id}
          maxLength={32}
          error={problemAt('id')}
          onChange={({ currentTarget }) => set({ id: currentTarget.value })}
        />
      )}
      <CopiedAddress label={t('providers.redirect')} copied={t('providers.copied')} text={addressOf('callback')} />
      <CopiedAddress label={t('providers.logout')} copied={t('providers.copied')} text={addressOf('logout')} />
      <MappingFields mapping={draft.mapping} onChange={(mapping) => set({ mapping })} />
      <div className={styles['columns']}>
        <TextField {...text('scopes', 'providers.scopes')} {...code} />
        <TextField {...text('usernameClaim', 'providers.usernameClaim')} {...code} />
      </div>
      <div className={styles['choices']}>
        <Checkbox
          label={<Explained text="providers.createUsers" hint="providers.createUsersHint" />}
          checked={draft.createUsers}
          onChange={(createUsers) => set({ createUsers })}
        />
        <Checkbox
          label={<Explained text="providers.signsOut" hint="providers.signsOutHint" />}
          checked={draft.signsOut}
          onChange={(signsOut) => set({ signsOut })}
        />
        <Checkbox
          label={<Explained text="providers.secondFactor" hint="providers.secondFactorHint" />}
          checked={draft.secondFactor}
          onChange={(secondFactor) => set({ secondFactor })}
        />
        <Checkbox
          label={<Explained text="providers.enabled" hint="providers.enabledHint" />}
          checked={draft.enabled}
          onChange={(enabled) => set({ enabled })}
        />
      </div>
      <ErrorNote>{error && !isFieldKnown && problemText(t, problemOf(error))}</ErrorNote>
      {provider !== undefined && <ProviderTrial test={async (claims) => await providers.test(provider.id, claims)} />}
      <div className={styles['buttons']}>
        {provider !== undefined && (
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

function Explained({ text, hint }: { readonly text: MessageId; readonly hint: MessageId }) {
  const t = useText()
  return (
    <>
      {t(text)}
      <span className={styles['hint']}>{t(hint)}</span>
    </>
  )
}

const FIELDS: readonly string[] = ['name', 'issuer', 'clientId', 'secret', 'id', 'scopes', 'usernameClaim']

function problemAtField({ reason, field, message }: ApiError, t: ReturnType<typeof useText>): string {
  if (reason === 'issuer') return t('providers.issuerHint')
  if (reason === 'secretNeeded') return t('providers.secretNeeded')
  if (reason === 'taken') return t('providers.idTaken')
  return field === 'name' || field === 'issuer' || field === 'clientId' ? t('form.empty') : message
}

function fieldsOf({ scopes, secret, mapping, id: _id, ...draft }: Draft): Omit<ProviderFields, 'type' | 'id'> {
  const trimmed = { name: draft.name.trim(), issuer: draft.issuer.trim(), clientId: draft.clientId.trim() }
  return {
    ...draft,
    ...trimmed,
    mapping: [...mapping],
    scopes: scopes.split(/\s+/).filter(Boolean),
    ...(secret !== '' && { secret }),
  }
}

/** Addresses here that are entered at the provider. */
function useAddresses(id: string): (what: 'callback' | 'logout') => string {
  const { BaseURL, PublicURL = location.origin } = useConfig()
  return (what) => `${PublicURL}${BaseURL}/api/sign-in/${id}/${what}`
}
