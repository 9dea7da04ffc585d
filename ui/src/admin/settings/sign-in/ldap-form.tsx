import { type SubmitEvent, useState } from 'react'
import type { Mapping } from '../../../../../src/domain/accounts/provider.ts'
import type { ProviderView } from '../../../../../src/domain/accounts/provider-view.ts'
import { ApiError } from '../../../api/api-error.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { type MessageId, useText, useTextPart } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { ErrorNote } from '../../../kit/feedback/note.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import { DirectoryTrial } from './directory-trial.tsx'
import { MappingFields } from './mapping-fields.tsx'
import styles from './providers.module.css'
import type { ProviderFormProps } from './use-providers.ts'

/** What is typed. An empty secret keeps the one that is set. */
interface Draft {
  readonly name: string
  readonly url: string
  readonly startTls: boolean
  readonly bindDn: string
  readonly secret: string
  readonly baseDn: string
  readonly userFilter: string
  readonly usernameClaim: string
  readonly subjectAttribute: string
  readonly groupBaseDn: string
  readonly groupFilter: string
  readonly timeout: string
  readonly enabled: boolean
  readonly createUsers: boolean
  readonly secondFactor: boolean
  readonly mapping: readonly Mapping[]
}

const EXAMPLE = 'ldaps://ldap.example.org'

const OPENLDAP = {
  userFilter: '(uid={name})',
  usernameClaim: 'uid',
  subjectAttribute: 'entryUUID',
  groupFilter: '(member={dn})',
}

/** The filter for groups also finds those of groups, and that for people leaves out disabled ones. */
const ACTIVE_DIRECTORY = {
  userFilter:
    '(&(objectCategory=person)(objectClass=user)(sAMAccountName={name})(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
  usernameClaim: 'sAMAccountName',
  subjectAttribute: 'objectGUID',
  groupFilter: '(member:1.2.840.113556.1.4.1941:={dn})',
}

function draftOf(provider: Partial<ProviderView> = {}): Draft {
  return {
    name: provider.name ?? '',
    url: provider.url ?? '',
    startTls: provider.startTls ?? true,
    bindDn: provider.bindDn ?? '',
    secret: '',
    baseDn: provider.baseDn ?? '',
    userFilter: provider.userFilter ?? OPENLDAP.userFilter,
    usernameClaim: provider.usernameClaim ?? OPENLDAP.usernameClaim,
    subjectAttribute: provider.subjectAttribute ?? OPENLDAP.subjectAttribute,
    groupBaseDn: provider.groupBaseDn ?? '',
    groupFilter: provider.groupFilter ?? OPENLDAP.groupFilter,
    timeout: String(provider.timeout ?? 5),
    enabled: provider.enabled ?? true,
    createUsers: provider.createUsers ?? false,
    secondFactor: provider.secondFactor ?? true,
    mapping: provider.mapping ?? [],
  }
}

type TextName = {
  [Name in keyof Draft]: Draft[Name] extends string ? Name : never
}[keyof Draft]

/** A directory: LDAP or Active Directory. */
export function LdapForm({ provider, providers, onClose }: ProviderFormProps) {
  useTextPart('directories')
  const t = useText()
  const [draft, setDraft] = useState(() => draftOf(provider))
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<Draft>): void => {
    setError(undefined)
    setDraft({ ...draft, ...change })
  }
  const text = (field: TextName, label: MessageId, hint?: string) => ({
    label: t(label),
    hint,
    value: draft[field],
    error: error?.field === field && errorText(error, t),
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ [field]: currentTarget.value }),
  })
  const code = { dir: 'ltr', spellCheck: false, autoCapitalize: 'none', className: styles['code'] } as const

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    const fields = fieldsOf(draft)
    const outcome =
      provider === undefined
        ? await providers.add({ ...fields, type: 'ldap' })
        : await providers.change(provider.id, fields)
    setBusy(false)
    if (outcome instanceof ApiError) setError(outcome)
    else if (outcome === true) onClose()
  }

  const isShown = error?.field !== undefined && error.field in draft
  return (
    <form
      className={styles['form']}
      noValidate
      aria-label={provider?.name ?? t('directories.type')}
      onSubmit={(event) => void submit(event)}
    >
      {provider === undefined && (
        <div>
          <Button size="small" onClick={() => set(ACTIVE_DIRECTORY)}>
            {t('directories.activeDirectory')}
          </Button>
        </div>
      )}
      <div className={styles['columns']}>
        <TextField {...text('name', 'providers.name')} maxLength={64} required />
        <TextField
          {...text('url', 'directories.address', t('directories.addressHint', { example: EXAMPLE }))}
          {...code}
          required
        />
        <TextField
          {...text(
            'bindDn',
            'directories.account',
            t('directories.accountHint', { name: '{name}', example: 'uid={name},ou=people,dc=example,dc=org' }),
          )}
          {...code}
          required
        />
        <PasswordField
          {...text('secret', 'directories.password', provider?.hasSecret === true ? t('providers.secretKept') : '')}
        />
        <TextField {...text('baseDn', 'directories.base')} {...code} required />
        <TextField {...text('groupBaseDn', 'directories.groupBase', t('directories.groupBaseHint'))} {...code} />
      </div>
      <TextField
        {...text('userFilter', 'directories.findFilter', t('directories.findFilterHint', { name: '{name}' }))}
        {...code}
        required
      />
      <TextField
        {...text('groupFilter', 'directories.groupFilter', t('directories.groupFilterHint', { dn: '{dn}' }))}
        {...code}
      />
      <div className={styles['columns']}>
        <TextField {...text('usernameClaim', 'directories.username')} {...code} required />
        <TextField
          {...text('subjectAttribute', 'directories.subject', t('directories.subjectHint'))}
          {...code}
          required
        />
        <TextField {...text('timeout', 'directories.timeout')} type="number" min={1} max={30} required />
      </div>
      <MappingFields mapping={draft.mapping} onChange={(mapping) => set({ mapping })} />
      <div className={styles['choices']}>
        {!draft.url.startsWith('ldaps:') && (
          <Checkbox
            label={<Explained text="directories.startTls" hint="directories.startTlsHint" />}
            checked={draft.startTls}
            onChange={(startTls) => set({ startTls })}
          />
        )}
        <Checkbox
          label={<Explained text="providers.createUsers" hint="providers.createUsersHint" />}
          checked={draft.createUsers}
          onChange={(createUsers) => set({ createUsers })}
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
      <p className={styles['hint']}>{t('directories.caHint', { command: 'filemgr sign-in ldap set --ca-file' })}</p>
      <ErrorNote>{error && !isShown && problemText(t, problemOf(error))}</ErrorNote>
      {provider !== undefined && <DirectoryTrial id={provider.id} />}
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

function errorText({ reason, field, message }: ApiError, t: ReturnType<typeof useText>): string {
  if (reason === 'secretNeeded') return t('directories.passwordNeeded')
  if (field === 'url') return t('directories.addressHint', { example: EXAMPLE })
  return field === 'name' || field === 'baseDn' || field === 'bindDn' ? t('form.empty') : message
}

function fieldsOf({ secret, timeout, mapping, ...draft }: Draft) {
  const texts = Object.entries(draft).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
  return {
    ...(Object.fromEntries(texts) as typeof draft),
    mapping: [...mapping],
    timeout: Number(timeout),
    ...(secret !== '' && { secret }),
  }
}
