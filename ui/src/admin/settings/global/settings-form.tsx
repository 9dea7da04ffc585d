import type { ReactNode } from 'react'
import { type FormField, formOf } from '../../../../../src/domain/schema/forms.ts'
import { valueAt } from '../../../../../src/domain/schema/schema-tools.ts'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { FormRow } from '../../forms/form-row.tsx'
import { getAllSettings, updateAllSettings } from '../../../../../src/api/settings/settings.ts'
import { OpenSettings } from '../../../../../src/domain/settings/settings.ts'
import { useClient } from '../../../api/client.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { type SchemaForm, useSchemaForm } from '../../forms/use-schema-form.tsx'

interface SettingsSectionProps {
  readonly title: string
  readonly hint?: string | undefined
  readonly form: SettingsForm
  readonly fields: readonly FormField[]
  /** Extra props for single fields. */
  readonly rowProps?: (field: FormField) => Partial<Parameters<typeof FormRow>[0]>
  readonly children?: ReactNode
}

/** A group of settings. Enter saves. */
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

const SETTINGS_QUERY = ['settings', 'all']

export type SettingsForm = SchemaForm<OpenSettings>

/** All settings that apply at once; they share one version. */
export function useSettingsForm(): SettingsForm {
  const client = useClient()
  const toasts = useToasts()
  const t = useText()
  return useSchemaForm<OpenSettings>({
    queryKey: SETTINGS_QUERY,
    fields: SETTINGS_FIELDS,
    load: async (signal) => await client.versioned(getAllSettings, { signal }),
    async save(value, etag) {
      await client.call(updateAllSettings, { body: value, headers: ifMatch(etag) })
      return true
    },
    onSaved: () => toasts.success(t('global.saved')),
  })
}

/** Makes the server refuse to overwrite another user's change. */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag === null ? {} : { 'If-Match': etag }
}

/** The sections that edit settings, and the fields of each. */
const SECTIONS = {
  accounts: ['signup', 'createUserDir', 'userHomeBasePath', 'minimumPasswordLength', 'hideLoginButton'],
  newUsers: ['defaults.*'],
  files: ['fileMode', 'dirMode', 'trash.*', 'findPeople'],
  uploads: ['tus.*'],
  branding: ['branding.*'],
  rules: ['rules', 'permissionRules'],
  commands: ['shell'],
  sessions: ['sessionMaxAge', 'logoutPage'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type SectionName = keyof typeof SECTIONS

/** Hidden where commands are disabled on the server. */
const ONLY_WITH_COMMANDS = ['defaults.perm.execute', 'defaults.commands', 'shell']

const FIELDS = formOf(OpenSettings).flatMap(({ fields }) => fields)

/** Fields of a section in order. New settings of a listed object are included automatically. */
export function fieldsOf(section: SectionName, withCommands: boolean): FormField[] {
  return SECTIONS[section].flatMap((pattern) =>
    FIELDS.filter(({ key }) => matches(pattern, key) && (withCommands || !ONLY_WITH_COMMANDS.includes(key))),
  )
}

/** Fields of all sections, compared to find unsaved changes. */
const SETTINGS_FIELDS: readonly FormField[] = (Object.keys(SECTIONS) as SectionName[]).flatMap((section) =>
  fieldsOf(section, true),
)

function matches(pattern: string, key: string): boolean {
  return pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern
}
