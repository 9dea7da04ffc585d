import { useConfig } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { PermissionFields } from '../../forms/permission-fields.tsx'
import type { UserForm } from './use-user-form.ts'
import { permissionChange, type UserDraft } from './user-draft.ts'
import styles from './user-page.module.css'
import { useMemo } from 'react'
import type { Supposed } from '../../../../../src/domain/access/explanation.ts'
import { RulesSection } from '../../rules/rules-section.tsx'

/** The user's permissions and allowed commands. */
export function PermissionCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const { EnableExec } = useConfig()
  const { draft, user, isSelf, set } = form
  const givesUp = isSelf && user?.perm.admin === true && !draft.perm.admin
  return (
    <SettingCard title={t('permissions.title')} hint={t('permissions.text')}>
      <div className={styles['stack']}>
        <PermissionFields
          perm={draft.perm}
          withCommands={EnableExec}
          onChange={(perm) => set(permissionChange(perm))}
        />
        {givesUp && (
          <Note icon="alert" tone="warning" role="status">
            {t('users.removesOwnAdmin')}
          </Note>
        )}
        {EnableExec && (
          <TextField
            label={t('users.commands')}
            hint={t('users.commandsHint')}
            value={draft.commands}
            disabled={!draft.perm.execute}
            {...CODE_INPUT}
            error={form.errorOf('commands')}
            onChange={(event) => set({ commands: event.currentTarget.value })}
          />
        )}
      </div>
    </SettingCard>
  )
}

/** Form fields that affect access checks. */
const ACCESS_FIELDS = [
  'rules',
  'permissionRules',
  'perm',
  'denied',
  'scope',
  'hideDotfiles',
] as const satisfies readonly (keyof UserDraft)[]

/** The user's rules, what they hide, and an access check that uses the values of the form. */
export function RulesCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const { draft, changed, user, settings, refused, set } = form
  const id = user && `id:${user.id}`
  const preview = useMemo(() => id && { user: id, before: settings.rules }, [id, settings.rules])
  const differing = ACCESS_FIELDS.filter((field) => changed.includes(field))
  const supposed: Supposed | undefined =
    differing.length === 0 ? undefined : Object.fromEntries(differing.map((field) => [field, draft[field]]))
  return (
    <RulesSection
      list="user"
      hint={t('rules.ofUser')}
      rules={draft.rules}
      permissionRules={draft.permissionRules}
      onPermissions={(permissionRules) => set({ permissionRules })}
      error={refused}
      preview={preview || undefined}
      why={id ? { user: id, name: user.username, supposed } : undefined}
      onChange={(rules) => set({ rules: [...rules] })}
    />
  )
}
