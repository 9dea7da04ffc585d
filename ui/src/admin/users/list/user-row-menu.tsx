import { useText } from '../../../i18n/use-text.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import type { MenuEntry } from '../../../kit/menu/menu.tsx'
import { MenuButton } from '../../../kit/menu/menu-button.tsx'
import { useNavigateTo } from '../../../lib/navigation/navigation.tsx'
import type { UserActions } from './use-user-actions.ts'
import type { UserRow } from './user-rows.ts'

/** Menu of one user. */
export function UserRowMenu({ row, actions }: { readonly row: UserRow; readonly actions: UserActions }) {
  const t = useText()
  const navigateTo = useNavigateTo()
  const { user, devices, isSelf } = row
  const name = user.username
  const edit = (): void => navigateTo(`/settings/users/${user.id}`)
  const entries = (): MenuEntry[] => [
    { label: t('users.edit'), icon: 'rename', run: edit },
    {
      label: t(user.lockPassword ? 'users.unlock' : 'users.lock'),
      icon: user.lockPassword ? 'key' : 'lock',
      disabled: user.perm.admin && !user.lockPassword,
      run: () => void actions.lock([user], !user.lockPassword),
    },
    {
      label: t('users.signOut'),
      icon: 'logout',
      disabled: isSelf || devices?.length === 0,
      run: () => void actions.signOut([user]),
    },
    { kind: 'separator' },
    {
      label: t('users.deleteShort'),
      icon: 'trash',
      danger: true,
      disabled: isSelf,
      run: () => void actions.remove([user]),
    },
  ]
  return (
    <>
      <span className="only-wide">
        <IconButton icon="rename" size="small" label={t('users.editOne', { name })} onClick={edit} />
      </span>
      <MenuButton label={t('users.moreFor', { name })} size="small" entries={entries} />
    </>
  )
}
