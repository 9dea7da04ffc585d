import type { ReactNode } from 'react'
import type { FormField } from '../../../../../src/domain/forms.ts'
import { valueAt } from '../../../../../src/domain/schema-tools.ts'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { FormRow } from '../../forms/form-row.tsx'
import type { SettingsForm } from './use-settings-form.ts'

interface SettingsSectionProps {
  readonly title: string
  readonly hint?: string | undefined
  readonly form: SettingsForm
  readonly fields: readonly FormField[]
  /** What stands beside a field, or makes it another one. */
  readonly rowProps?: (field: FormField) => Partial<Parameters<typeof FormRow>[0]>
  readonly children?: ReactNode
}

/** Settings of one kind. Enter saves. */
export function SettingsSection({ title, hint, form, fields, rowProps, children }: SettingsSectionProps) {
  return (
    <SettingCard title={title} hint={hint} onSubmit={() => void form.save()}>
      {fields.map((field) => (
        <FormRow
          key={field.key}
          field={field}
          value={valueAt(form.value, field.leaf.path)}
          onChange={(value) => form.set(field, value)}
          error={form.errorOf(field)}
          {...rowProps?.(field)}
        />
      ))}
      {children}
    </SettingCard>
  )
}
