import { formatValue } from '../domain/parse-value.ts'
import { PERMISSIONS } from '../domain/permissions.ts'
import { leaves, valueAt } from '../domain/schema-tools.ts'
import { UserPatch, type UserView } from '../domain/user.ts'
import type { Answer } from './output.ts'
import { drawTable } from './table.ts'

const HEADINGS = ['ID', 'USER', 'SCOPE', 'LANGUAGE', 'VIEW', 'PERMISSIONS', 'PASSWORD']

/** Accounts as a table, as JSON, or as their ids. */
export function userList(users: readonly UserView[], color: boolean): Answer {
  const rows = users.map((user) => [
    String(user.id),
    user.username,
    user.scope,
    user.locale,
    user.viewMode,
    permissionWords(user),
    user.lockPassword ? 'locked' : 'free',
  ])
  return { json: users, ids: users.map(({ id }) => id), text: () => drawTable(HEADINGS, rows, color) }
}

/** Every field of one user, named like the flags that change them. */
export function oneUser(user: UserView, color: boolean): Answer {
  const fields = leaves(UserPatch).filter(({ key, annotation }) => key !== 'password' && annotation.cli !== false)
  const rows = fields.map((leaf) => [leaf.key, formatValue(leaf, valueAt(user, leaf.path))])
  const all = [['id', String(user.id)], ...rows, ['rules', String(user.rules.length)]]
  return { json: user, ids: [user.id], text: () => drawTable(['FIELD', 'VALUE'], all, color) }
}

function permissionWords({ perm }: UserView): string {
  const given = PERMISSIONS.filter((permission) => perm[permission])
  return given.length === PERMISSIONS.length ? 'all' : given.join(' ')
}
