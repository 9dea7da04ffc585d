import { LANGUAGES } from '../../../i18n/languages.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import { problemOfField } from './problem-of-field.ts'
import { ScopeField } from './scope-field.tsx'
import { homeChange } from './user-draft.ts'
import type { UserForm } from './use-user-form.ts'
import styles from './user-page.module.css'

/** Who it is, how he signs in, and where his files are. */
export function AccountCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const { draft, isNew, settings, set } = form
  const error = (field: 'username' | 'password') => problemOfField(t, form, field)
  return (
    <SettingCard title={t('users.account')}>
      <div className={styles['fields']}>
        <TextField
          label={t('users.username')}
          value={draft.username}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={error('username')}
          onChange={(event) => set({ username: event.currentTarget.value })}
        />
        <PasswordField
          label={t('users.password')}
          value={draft.password}
          placeholder={isNew ? undefined : t('users.passwordKeep')}
          hint={t('users.passwordHint', { minimum: settings.minimumPasswordLength })}
          autoComplete="new-password"
          required={isNew}
          error={error('password')}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
        <ScopeField form={form} />
        <div className={styles['field']}>
          <label className={styles['label']} htmlFor="user-language">
            {t('users.language')}
          </label>
          <Select id="user-language" options={LANGUAGES} value={draft.locale} onChange={(locale) => set({ locale })} />
        </div>
        {isNew && (
          <Checkbox
            className={styles['wide']}
            checked={draft.createUserDir}
            label={t('users.createHome')}
            onChange={(on) => set(homeChange(on, settings.defaults.scope))}
          />
        )}
        <Checkbox
          className={styles['wide']}
          checked={draft.lockPassword}
          disabled={draft.perm.admin}
          label={t('users.locked')}
          onChange={(lockPassword) => set({ lockPassword })}
        />
      </div>
    </SettingCard>
  )
}
