import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listUsers } from '../../../../../src/api/users.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { RulesSection } from '../../rules/rules-section.tsx'
import { fieldsOf } from './form-sections.ts'
import type { SettingsForm } from './use-settings-form.ts'

/** What they hide is looked for in the own files. */
const PREVIEW = { before: [] }

/** The rules for everybody, and why somebody may do something or not with those that are being edited. */
export function RulesPart({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  const client = useClient()
  const { data: users } = useQuery({ queryKey: ['users'], queryFn: ({ signal }) => client.call(listUsers, { signal }) })
  const known = useMemo(() => users?.map(({ id, username }) => ({ value: `id:${id}`, label: username })) ?? [], [users])
  const [field] = fieldsOf('rules', true)
  const { value } = form
  if (field === undefined || value === undefined) return null
  const isChanged = form.changed.includes(field)
  return (
    <RulesSection
      list="global"
      hint={t('global.rulesHint')}
      rules={value.rules}
      onChange={(rules) => form.set(field, rules)}
      error={form.refused}
      preview={PREVIEW}
      why={
        known.length > 0 ? { users: known, supposed: isChanged ? { globalRules: value.rules } : undefined } : undefined
      }
    />
  )
}
