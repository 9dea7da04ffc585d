import { useMemo } from 'react'
import type { Supposed } from '../../../../../src/domain/explanation.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { RulesSection } from '../../rules/rules-section.tsx'
import type { UserDraft } from './user-draft.ts'
import type { UserForm } from './use-user-form.ts'

/** What the server decides by, of what the form can change. */
const DECIDING = ['rules', 'perm', 'scope', 'hideDotfiles'] as const satisfies readonly (keyof UserDraft)[]

/** The rules of the user, what they hide, and why he may do something or not: as the form has it. */
export function RulesCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const { draft, changed, user, settings, refusal, set } = form
  const id = user && `id:${user.id}`
  const preview = useMemo(() => id && { user: id, before: settings.rules }, [id, settings.rules])
  const differing = DECIDING.filter((field) => changed.includes(field))
  const supposed: Supposed | undefined =
    differing.length === 0 ? undefined : Object.fromEntries(differing.map((field) => [field, draft[field]]))
  return (
    <RulesSection
      list="user"
      hint={t('rules.ofUser')}
      rules={draft.rules}
      error={refusal}
      preview={preview || undefined}
      why={id ? { user: id, name: user.username, supposed } : undefined}
      onChange={(rules) => set({ rules: [...rules] })}
    />
  )
}
