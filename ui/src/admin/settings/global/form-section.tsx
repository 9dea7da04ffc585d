import { useText } from '../../../i18n/use-text.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import type { GlobalSection } from '../../../lib/navigation/settings-paths.ts'
import { UnsavedChanges } from '../../forms/unsaved-changes.tsx'
import { BrandingSection } from './branding-section.tsx'
import { fieldsOf, SettingsSection, useSettingsForm, type SettingsForm } from './settings-form.tsx'
import { HooksSection } from './hooks/hooks-section.tsx'
import type { FormField } from '../../../../../src/domain/schema/forms.ts'
import { LOCALES } from '../../../../../src/domain/page-contract.ts'
import { type Permission, PERMISSIONS, type Permissions } from '../../../../../src/domain/access/permissions.ts'
import { useConfig } from '../../../api/page-config.tsx'
import { LANGUAGE_NAMES } from '../../../i18n/languages.ts'
import { useEditorThemeOptions } from '../../forms/form-text.ts'
import { isImplied, withPermission } from '../../forms/permission-fields.tsx'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listUsers } from '../../../../../src/api/accounts/users.ts'
import { useClient } from '../../../api/client.ts'
import { RulesSection } from '../../rules/rules-section.tsx'

type FormSectionName = Exclude<GlobalSection, 'webhooks' | 'server' | 'maintenance' | 'backup' | 'cache'>

/** A section of settings that apply at once. */
export function FormSection({ name }: { readonly name: FormSectionName }) {
  const t = useText()
  const form = useSettingsForm()
  if (form.value === undefined) {
    return (
      <div role="status">
        <Spinner size={24} />
        <span className="visually-hidden">{t('global.loading')}</span>
      </div>
    )
  }
  return (
    <>
      <Fields name={name} form={form} />
      <UnsavedChanges count={form.changed.length} busy={form.busy} onSave={form.save} onDiscard={form.discard} />
    </>
  )
}

function Fields({ name, form }: { readonly name: FormSectionName; readonly form: SettingsForm }) {
  const t = useText()
  switch (name) {
    case 'new-users':
      return <NewUsersSection form={form} />
    case 'branding':
      return <BrandingSection form={form} />
    case 'rules':
      return <RulesPart form={form} />
    case 'hooks':
      return <HooksSection form={form} />
    case 'uploads':
      return <SettingsSection title={t('tus.title')} hint={t('tus.hint')} form={form} fields={fieldsOf(name, true)} />
    default:
      return <SettingsSection title={t(`global.${name}`)} form={form} fields={fieldsOf(name, true)} />
  }
}

const LANGUAGES = LOCALES.map((locale) => ({ value: locale, label: LANGUAGE_NAMES[locale] }))

/** Defaults for new accounts. Administrators have every permission, so the other check boxes are locked. */
function NewUsersSection({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  const { EnableExec } = useConfig()
  const fields = fieldsOf('newUsers', EnableExec)
  const themes = useEditorThemeOptions()
  const rowProps = (field: FormField) => {
    const permission = permissionOf(field)
    const perm = form.value?.defaults.perm
    if (permission !== undefined && perm !== undefined) {
      return {
        disabled: permission !== 'admin' && isImplied(perm, permission),
        onChange: (on: unknown) => grant(form, withPermission(perm, permission, on === true)),
      }
    }
    if (field.key === 'defaults.aceEditorTheme') return { options: themes }
    return field.key === 'defaults.locale' ? { options: LANGUAGES } : {}
  }
  return (
    <SettingsSection
      title={t('global.newUsers')}
      hint={t('global.newUsersHint')}
      form={form}
      fields={fields}
      rowProps={rowProps}
    />
  )
}

function permissionOf({ key }: FormField): Permission | undefined {
  return PERMISSIONS.find((name) => key === `defaults.perm.${name}`)
}

function grant(form: SettingsForm, perm: Permissions): void {
  for (const field of fieldsOf('newUsers', true)) {
    const name = permissionOf(field)
    if (name !== undefined) form.set(field, perm[name])
  }
}

/** The preview searches the administrator's own files. */
const PREVIEW = { before: [] }

/** The global rules, with an access check that uses the edited rules. */
function RulesPart({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  const client = useClient()
  const { data: users } = useQuery({ queryKey: ['users'], queryFn: ({ signal }) => client.call(listUsers, { signal }) })
  const known = useMemo(() => users?.map(({ id, username }) => ({ value: `id:${id}`, label: username })) ?? [], [users])
  const fields = fieldsOf('rules', true)
  const { value } = form
  if (value === undefined) return null
  const set = (key: string, next: unknown): void => {
    for (const field of fields) if (field.key === key) form.set(field, next)
  }
  const supposed = { globalRules: value.rules, globalPermissionRules: value.permissionRules }
  const isChanged = fields.some((field) => form.changed.includes(field))
  return (
    <RulesSection
      list="global"
      hint={t('global.rulesHint')}
      rules={value.rules}
      onChange={(rules) => set('rules', rules)}
      permissionRules={value.permissionRules}
      onPermissions={(rules) => set('permissionRules', rules)}
      error={form.refused}
      preview={PREVIEW}
      why={known.length > 0 ? { users: known, supposed: isChanged ? supposed : undefined } : undefined}
    />
  )
}
