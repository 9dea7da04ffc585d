import { useConfig } from '../../../api/config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { PermissionFields } from '../../permissions/permission-fields.tsx'
import { problemOfField } from './problem-of-field.ts'
import { permissionChange } from './user-draft.ts'
import type { UserForm } from './use-user-form.ts'
import styles from './user-page.module.css'

/** What the user may do, and which programs he may run. */
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
            {t('users.givesUp')}
          </Note>
        )}
        {EnableExec && (
          <TextField
            label={t('users.commands')}
            hint={t('users.commandsHint')}
            value={draft.commands}
            disabled={!draft.perm.execute}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={problemOfField(t, form, 'commands')}
            onChange={(event) => set({ commands: event.currentTarget.value })}
          />
        )}
      </div>
    </SettingCard>
  )
}
