import type { User } from '../../domain/user.ts'
import { effectivePermissions } from '../access/effective-permissions.ts'

/** What a token tells the page about its user. Scope, rules and sorting are not in it: proxies log what tokens say. */
export function tokenUser(user: User, readOnly: boolean) {
  return {
    id: user.id,
    locale: user.locale,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: effectivePermissions(user.perm, readOnly),
    commands: user.commands,
    lockPassword: user.lockPassword,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    username: user.username,
    aceEditorTheme: user.aceEditorTheme,
  }
}
