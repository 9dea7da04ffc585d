import type { FormField } from '../../../../../src/domain/forms.ts'
import { LOCALES } from '../../../../../src/domain/page-contract.ts'
import { type Permission, PERMISSIONS, type Permissions } from '../../../../../src/domain/permissions.ts'
import { useConfig } from '../../../api/config.tsx'
import { LANGUAGE_NAMES } from '../../../i18n/language-names.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useEditorThemeOptions } from '../../permissions/editor-theme-options.ts'
import { isImplied, withPermission } from '../../permissions/permission-change.ts'
import { fieldsOf } from './form-sections.ts'
import { SettingsSection } from './settings-section.tsx'
import type { SettingsForm } from './use-settings-form.ts'
const LANGUAGES = LOCALES.map((locale) => ({ value: locale, label: LANGUAGE_NAMES[locale] }))

/** What an account starts with. An administrator has every permission, so the others are not his to lose. */
export function NewUsersSection({ form }: { readonly form: SettingsForm }) {
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
