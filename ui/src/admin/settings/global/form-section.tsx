import { useText } from '../../../i18n/use-text.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import type { GlobalSection } from '../../../lib/settings-places.ts'
import { UnsavedChanges } from '../../../files/actions/unsaved/unsaved-changes.tsx'
import { BrandingSection } from './branding/branding-section.tsx'
import { fieldsOf } from './form-sections.ts'
import { HooksSection } from './hooks/hooks-section.tsx'
import { NewUsersSection } from './new-users-section.tsx'
import { RulesPart } from './rules-part.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm, type SettingsForm } from './use-settings-form.ts'

type FormSectionName = Exclude<GlobalSection, 'sign-in' | 'server' | 'backup' | 'cache'>

/** A section that edits the settings themselves, which act at once. */
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
