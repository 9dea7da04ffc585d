import type { FormField } from '../../../../../src/domain/forms.ts'
import { LOCALES } from '../../../../../src/domain/locales.ts'
import { useConfig } from '../../../api/config.tsx'
import { LANGUAGE_NAMES } from '../../../i18n/language-names.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { EDITOR_THEMES } from '../../../lib/editor-themes.ts'
import { fieldsOf } from './form-sections.ts'
import { SettingsSection } from './settings-section.tsx'
import type { SettingsForm } from './use-settings-form.ts'

const LANGUAGES = LOCALES.map((locale) => ({ value: locale, label: LANGUAGE_NAMES[locale] }))
const THEMES = EDITOR_THEMES.map(({ caption, name }) => ({ value: name, label: caption }))

/** What an account starts with. An administrator has every permission, so the others are not his to lose. */
export function NewUsersSection({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  const { EnableExec } = useConfig()
  const fields = fieldsOf('newUsers', EnableExec)
  const isAdmin = form.value?.defaults.perm.admin === true
  const themes = [{ value: '', label: t('profile.editorThemeOfPage') }, ...THEMES]
  const rowProps = (field: FormField) => {
    if (field.key === 'defaults.perm.admin') return { onChange: (on: unknown) => grant(form, fields, on === true) }
    if (field.key.startsWith('defaults.perm.')) return { disabled: isAdmin }
    if (field.key === 'defaults.aceEditorTheme') return { options: themes }
    return field.key === 'defaults.locale' ? { options: LANGUAGES } : {}
  }
  return (
    <SettingsSection
      id="new-users"
      title={t('global.newUsers')}
      hint={t('global.newUsersHint')}
      form={form}
      fields={fields}
      rowProps={rowProps}
    />
  )
}

function grant(form: SettingsForm, fields: readonly FormField[], admin: boolean): void {
  for (const field of fields) {
    const isOwn = field.key === 'defaults.perm.admin'
    if (isOwn || (admin && field.key.startsWith('defaults.perm.'))) form.set(field, admin)
  }
}
