import { useText } from '../../../../i18n/use-text.tsx'
import { fieldsOf } from '../form-sections.ts'
import { SettingsSection } from '../settings-section.tsx'
import type { SettingsForm } from '../use-settings-form.ts'
import { BrandingFiles } from './branding-files.tsx'
import { useBrandingPreview } from './use-branding-preview.ts'

const COLOR = /^(#[0-9a-f]{3,8})?$/i

/** How the installation looks; the page itself shows it before it is saved. */
export function BrandingSection({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  const fields = fieldsOf('branding', true)
  const branding = form.value?.branding
  const isChanged = form.changed.some(({ key }) => key === 'branding.color' || key === 'branding.theme')
  const color = branding?.color ?? ''
  useBrandingPreview(isChanged, COLOR.test(color) ? color : '', branding?.theme ?? '')
  return (
    <SettingsSection title={t('branding.title')} form={form} fields={fields}>
      <BrandingFiles ownFolder={branding?.files !== ''} />
    </SettingsSection>
  )
}
