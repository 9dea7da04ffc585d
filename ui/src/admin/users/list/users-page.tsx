import { useMemo, useState } from 'react'
import { useUser } from '../../../api/session.ts'
import { usePageTitle } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { AppLink, Button, buttonClass, IconButton } from '../../../kit/button/button.tsx'
import { EmptyState } from '../../../kit/feedback/empty-state.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { Spinner } from '../../../kit/feedback/progress.tsx'
import { DataTable } from '../../../kit/table/data-table.tsx'
import { FilterField } from '../../../kit/fields/text-field.tsx'
import { useUserActions, type UserProblem, type UserActions } from './use-user-actions.ts'
import { useUserColumns, findRows, userRows, type UserRow } from './use-user-columns.tsx'
import styles from './users-page.module.css'
import { UsersToolbar } from './users-toolbar.tsx'
import { useAllSessions, useQuotas, useUsers } from '../use-users.ts'
import { Note } from '../../../kit/feedback/note.tsx'
import type { MenuEntry } from '../../../kit/menu/menu.tsx'
import { MenuButton } from '../../../kit/menu/menu-button.tsx'
import { useNavigateTo } from '../../../lib/navigation/navigation.tsx'

/** The table of all accounts. */
export function UsersPage() {
  const t = useText()
  const self = useUser()?.id
  const users = useUsers()
  const sessions = useAllSessions()
  const quotas = useQuotas()
  const columns = useUserColumns({
    withUsage: (quotas?.length ?? 0) > 0,
    withGroups: users?.some(({ groups }) => groups !== undefined) === true,
  })
  const [typed, setTyped] = useState('')
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set())
  usePageTitle(t('users.title'))
  const rows = useMemo(() => userRows(users ?? [], sessions, self, quotas), [users, sessions, self, quotas])
  const found = useMemo(() => findRows(rows, typed), [rows, typed])
  // Drop what was deleted or filtered out meanwhile.
  const selected = found.filter(({ user }) => selectedKeys.has(String(user.id)))
  const actions = useUserActions(() => setSelectedKeys(new Set()))
  const admins = rows.filter(({ user }) => user.perm.admin).length
  return (
    <Page
      wide
      title={t('users.title')}
      hint={users && t('users.summary', { count: users.length, admins })}
      actions={
        <div className={styles['head']}>
          <FilterField label={t('users.find')} value={typed} onChange={setTyped} />
          <AppLink to="/settings/users/new" className={buttonClass({ variant: 'primary' })}>
            <Icon name="user-plus" size={16} />
            {t('users.new')}
          </AppLink>
        </div>
      }
    >
      {users === undefined && (
        <div className={styles['wait']} role="status">
          <Spinner size={24} />
          <span className="visually-hidden">{t('users.loading')}</span>
        </div>
      )}
      <div className={styles['table']}>
        {selected.length > 0 && (
          <UsersToolbar rows={selected} actions={actions} onClear={() => setSelectedKeys(new Set())} />
        )}
        <UsersProblems problems={actions.problems} onClose={actions.forgetProblems} />
        {users && (
          <DataTable
            label={t('users.title')}
            columns={columns}
            rows={found}
            keyOf={({ user }) => String(user.id)}
            sort={{ column: 'username', descending: false }}
            texts={{
              sortBy: t('users.sortBy'),
              descending: t('users.descending'),
              more: (left) => t('users.more', { count: left }),
            }}
            selection={{
              selected: selectedKeys,
              onChange: setSelectedKeys,
              label: ({ user }) => t('files.select', { name: user.username }),
              allLabel: t('files.selectAll'),
            }}
            actions={{ head: t('files.actions'), cell: (row) => <UserRowMenu row={row} actions={actions} /> }}
          />
        )}
      </div>
      {users !== undefined && found.length === 0 && (
        <EmptyState
          art={<Icon name="users" size={56} />}
          title={t('users.noneFound')}
          role="status"
          actions={<Button onClick={() => setTyped('')}>{t('users.showAll')}</Button>}
        >
          {t('users.noneFoundText', { text: typed })}
        </EmptyState>
      )}
    </Page>
  )
}

interface UsersProblemsProps {
  readonly problems: readonly UserProblem[]
  readonly onClose: () => void
}

/** Lists what failed and why, for each user. Stays until closed. */
export function UsersProblems({ problems, onClose }: UsersProblemsProps) {
  const t = useText()
  if (problems.length === 0) return null
  return (
    <Note icon="error" tone="danger" role="alert">
      <p className="strong">{t('users.someFailed', { count: problems.length })}</p>
      <ul className={styles['problems']}>
        {problems.map(({ name, text }) => (
          <li key={name}>
            <bdi className="strong">{name}</bdi>: {text}
          </li>
        ))}
      </ul>
      <Button variant="ghost" size="small" onClick={onClose}>
        {t('kit.dismiss')}
      </Button>
    </Note>
  )
}

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
