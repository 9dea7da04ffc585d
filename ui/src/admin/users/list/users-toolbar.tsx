import { useConfig } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import type { MenuEntry } from '../../../kit/menu/menu.tsx'
import { MenuButton } from '../../../kit/menu/menu-button.tsx'
import { SelectionBar } from '../../../kit/table/data-table.tsx'
import { PERMISSION_TEXTS, PLAIN_PERMISSIONS } from '../../forms/permission-fields.tsx'
import type { UserActions } from './use-user-actions.ts'
import type { UserRow } from './use-user-columns.tsx'

interface UsersToolbarProps {
  readonly rows: readonly UserRow[]
  readonly actions: UserActions
  readonly onClear: () => void
}

/** Actions for the selected users. The administrator's own account is never among those deleted or signed out. */
export function UsersToolbar({ rows, actions, onClear }: UsersToolbarProps) {
  const t = useText()
  const { EnableExec } = useConfig()
  const users = rows.map(({ user }) => user)
  const others = rows.filter(({ isSelf }) => !isSelf).map(({ user }) => user)
  const online = rows.filter(({ isSelf, devices }) => !isSelf && devices?.length !== 0).map(({ user }) => user)
  const permissions = (on: boolean): MenuEntry[] =>
    PLAIN_PERMISSIONS.filter((name) => EnableExec || name !== 'execute').map((name) => ({
      label: t(PERMISSION_TEXTS[name].label),
      run: () => void actions.permit(users, name, on),
    }))
  return (
    <SelectionBar
      label={t('files.selectionActions')}
      count={t('files.selected', { count: rows.length })}
      clearLabel={t('files.clearSelection')}
      onClear={onClear}
    >
      <MenuButton
        label={t('users.permissionMenu')}
        icon="shield"
        entries={() => [
          { kind: 'submenu', label: t('users.grant'), icon: 'plus', entries: permissions(true) },
          { kind: 'submenu', label: t('users.revoke'), icon: 'minus', entries: permissions(false) },
        ]}
      >
        {t('permissions.title')}
      </MenuButton>
      <MenuButton
        label={t('users.passwordMenu')}
        icon="lock"
        entries={() => [
          { label: t('users.lock'), icon: 'lock', run: () => void actions.lock(users, true) },
          { label: t('users.unlock'), icon: 'key', run: () => void actions.lock(users, false) },
        ]}
      >
        {t('login.password')}
      </MenuButton>
      <Button
        variant="ghost"
        icon="logout"
        flipIcon
        disabled={online.length === 0}
        onClick={() => void actions.signOut(online)}
      >
        {t('users.signOut')}
      </Button>
      <Button variant="ghost" icon="trash" disabled={others.length === 0} onClick={() => void actions.remove(others)}>
        {t('users.deleteShort')}
      </Button>
    </SelectionBar>
  )
}
