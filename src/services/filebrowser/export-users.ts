import type { User } from '../../domain/user.ts'

export interface UsersExport {
  /** As File Browser 2 reads them with `users import`. */
  readonly users: readonly object[]
  /** Names of those whose password it cannot check: it knows bcrypt only. They need a new one there. */
  readonly withoutPassword: readonly string[]
}

/** Accounts with the hashes of their passwords, in the form of File Browser 2. */
export function exportUsers(users: readonly Readonly<User>[]): UsersExport {
  return {
    users: users.toSorted((a, b) => a.id - b.id).map(record),
    withoutPassword: users.filter(({ passwordHash }) => !/^\$2[aby]\$/.test(passwordHash)).map((user) => user.username),
  }
}

function record(user: Readonly<User>): object {
  return {
    id: user.id,
    username: user.username,
    password: user.passwordHash,
    scope: user.scope,
    locale: user.locale,
    lockPassword: user.lockPassword,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: user.perm,
    commands: user.commands,
    sorting: user.sorting,
    rules: user.rules,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    aceEditorTheme: user.aceEditorTheme,
  }
}
