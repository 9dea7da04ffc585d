import { LANGUAGES } from '../../../i18n/languages.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { PasswordField, TextField } from '../../../kit/fields/text-field.tsx'
import { CODE_INPUT } from '../../../kit/fields/inputs.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { SettingCard } from '../../../kit/page/settings.tsx'
import type { UserForm } from './use-user-form.ts'
import { homeChange, rootChange } from './user-draft.ts'
import styles from './user-page.module.css'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { getResource } from '../../../../../src/api/files/files.ts'
import { childOf, cleanVirtualPath, parentOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { RootId } from '../../../../../src/domain/ids.ts'
import { NO_ROOT } from '../../../../../src/domain/accounts/place.ts'
import { useClient } from '../../../api/client.ts'
import { FolderButton } from '../../forms/folder-button.tsx'
import { useSeenFolders } from '../../forms/use-seen-folders.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { useRoots } from '../../roots/use-roots.ts'
import { useSettled } from '../../../lib/hooks.ts'

/** The user's name, sign-in and scope. */
export function AccountCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const { draft, isNew, settings, set } = form
  return (
    <SettingCard title={t('users.account')}>
      <div className={styles['fields']}>
        <TextField
          label={t('login.username')}
          value={draft.username}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={form.errorOf('username')}
          onChange={(event) => set({ username: event.currentTarget.value })}
        />
        <PasswordField
          label={t('login.password')}
          value={draft.password}
          placeholder={isNew ? undefined : t('users.passwordKeep')}
          hint={t('users.passwordHint', { minimum: settings.minimumPasswordLength })}
          autoComplete="new-password"
          required={isNew}
          error={form.errorOf('password')}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
        <RootField form={form} />
        <ScopeField form={form} />
        <div className={styles['field']}>
          <label className={styles['label']} htmlFor="user-language">
            {t('users.language')}
          </label>
          <Select id="user-language" options={LANGUAGES} value={draft.locale} onChange={(locale) => set({ locale })} />
        </div>
        {isNew && draft.root !== NO_ROOT && (
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
        {!isNew && (
          <Checkbox
            className={styles['wide']}
            checked={draft.disabled}
            label={t('fields.disabled')}
            onChange={(disabled) => set({ disabled })}
          />
        )}
      </div>
    </SettingCard>
  )
}

/** The root of the own folder. */
function RootField({ form: { draft, set } }: { readonly form: UserForm }) {
  const t = useText()
  const { roots = [] } = useRoots()
  return (
    <SelectField
      label={t('fields.root')}
      options={[
        ...roots.map(({ id, name }) => ({ value: String(id), label: name })),
        { value: String(NO_ROOT), label: t('roots.noOwn') },
      ]}
      value={String(draft.root)}
      onChange={(root) => set(rootChange(draft, root as RootId))}
    />
  )
}

const PAUSE = 250

/** The user's scope. Folders that the administrator sees are suggested. */
function ScopeField({ form }: { readonly form: UserForm }) {
  const t = useText()
  const listId = useId()
  const { draft, set } = form
  const isFixed = draft.createUserDir || draft.root === NO_ROOT
  const folders = useFolders(draft.root, draft.scope)
  return (
    <>
      <TextField
        label={t('users.scope')}
        hint={t(draft.createUserDir ? 'users.homeHint' : 'users.scopeHint')}
        value={draft.scope}
        disabled={isFixed}
        {...CODE_INPUT}
        list={listId}
        maxLength={4096}
        error={form.errorOf('scope')}
        end={
          <FolderButton root={draft.root} value={draft.scope} disabled={isFixed} onChange={(scope) => set({ scope })} />
        }
        onChange={(event) => set({ scope: event.currentTarget.value })}
      />
      <datalist id={listId}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </>
  )
}

/** Folders below the typed path, if the administrator sees them. */
function useFolders(root: RootId, typed: string): readonly VirtualPath[] {
  const client = useClient()
  const seen = useSeenFolders()
  const path = cleanVirtualPath(useSettled(typed, PAUSE))
  const folder = typed.endsWith('/') ? path : parentOf(path)
  const shown = seen?.pathOf(root, folder)
  const { data } = useQuery({
    queryKey: ['folders', shown],
    queryFn: async ({ signal }) => {
      const found = await client.call(getResource, { params: { '*': shown ?? folder }, signal })
      return 'items' in found ? found.items.filter(({ isDir }) => isDir).map(({ name }) => childOf(folder, name)) : []
    },
    enabled: shown !== undefined && typed.startsWith('/'),
    throwOnError: false,
    retry: false,
    staleTime: 30_000,
  })
  return data ?? []
}
