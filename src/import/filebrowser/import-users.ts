import { foldName } from '../../domain/text/fold.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { PERMISSIONS, type Permissions } from '../../domain/access/permissions.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { LOCALES } from '../../domain/page-contract.ts'
import { type User, VIEW_MODES } from '../../domain/accounts/user.ts'
import { draftAccount } from '../../services/accounts/users/new-account.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { cleanScope } from '../../services/accounts/users/home-folder.ts'
import { PATH_PERMISSIONS } from '../../domain/access/rule.ts'
import { type GivenPlace, NO_ROOT } from '../../domain/accounts/place.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import { FILES_ROOT, type RootFolder } from '../../domain/server/root.ts'
import type { ImportedRoots } from './import-roots.ts'
import type { ReportWriter } from './import-report.ts'
import { importRules } from './import-rules.ts'
import { booleanOf, integerOf, listOf, type OldRecord, recordOf, textOf, textsOf } from './old-record.ts'

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/

export interface UsersImport {
  readonly users: readonly OldRecord[]
  readonly settings: Settings
  readonly roots: ImportedRoots
  readonly compile: PatternCompiler
  readonly report: ReportWriter
  /** Milliseconds. */
  readonly now: number
}

/**
 * Accounts with their old ids. An account that is invalid here is left out and reported.
 *
 * @throws INVALID_INPUT if two accounts have the same id or name, or a record is not an account
 */
export function importUsers(input: UsersImport): User[] {
  const { users } = input
  const found: User[] = []
  for (const [index, old] of users.entries()) {
    const entry = `entry ${index + 1} of the users`
    const id = withSubject(entry, () => integerOf(old, 'id'))
    const username = withSubject(entry, () => textOf(old, 'username'))
    if (id < 1) fail('INVALID_INPUT', `${entry} ("${username}"): id must be 1 or more`, { field: 'id' })
    const twin = found.find((user) => user.id === (id as UserId) || user.username === username)
    if (twin !== undefined)
      fail('INVALID_INPUT', `users ${twin.id} and ${id} have the same id or the same name "${username}"`)
    const user = withSubject(`user ${username}`, () => importUser(old, id as UserId, username, input))
    if (user !== undefined) found.push(user)
  }
  reportAlike(found, input.report)
  return found
}

/** Both are kept, because nobody should lose an account, or its files, by moving here. */
function reportAlike(users: readonly User[], report: ReportWriter): void {
  for (const alike of Map.groupBy(users, ({ username }) => foldName(username)).values()) {
    if (alike.length === 1) continue
    const names = alike.map(({ username }) => username).join(', ')
    for (const { id, username } of alike) {
      const note = `${names} differ only in case: each signs in with exactly this name until one is renamed`
      report.add('lookAt', `user ${username}`, `${note}: filemgr users set id:${id} --username NAME`)
    }
  }
}

function importUser(old: OldRecord, id: UserId, username: string, input: UsersImport): User | undefined {
  const { settings, roots, compile, report, now } = input
  const subject = `user ${username}`
  const passwordHash = textOf(old, 'password')
  const fields = {
    username,
    // Always given: without one, accounts see the whole folder there, and keep what they see.
    ...ownFolderOf(old, roots),
    places: placesOf(old, subject, input),
    locale: localeOf(textOf(old, 'locale'), settings.defaults.locale, subject, report),
    viewMode: viewModeOf(textOf(old, 'viewmode'), subject, report),
    lockPassword: booleanOf(old, 'lockpassword'),
    singleClick: booleanOf(old, 'singleclick'),
    redirectAfterCopyMove: booleanOf(old, 'redirectaftercopymove'),
    perm: permissionsOf(recordOf(old, 'perm'), subject, report),
    commands: textsOf(old, 'commands'),
    rules: importRules({ record: old, appliesTo: subject, compile, report }),
    hideDotfiles: booleanOf(old, 'hidedotfiles'),
    dateFormat: booleanOf(old, 'dateformat'),
    aceEditorTheme: textOf(old, 'aceeditortheme'),
  }
  const sorting = recordOf(old, 'sorting')
  const by = textOf(sorting, 'by')
  reportPassword(passwordHash, subject, report)
  try {
    // An old account may have a sort order that only the client that set it understands.
    const named = { by: (by === '' ? 'name' : by) as 'name', asc: booleanOf(sorting, 'asc') }
    const account = { ...fields, sorting: named }
    const known = { by: 'administrator', fields: account, passwordHash, isImported: true } as const
    return { ...draftAccount(known, { settings }, { compile, now }).account, id }
  } catch (error) {
    if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
    report.add('dropped', subject, `is not a valid account here: ${error.message}`)
    return undefined
  }
}

/** In the form of File Browser, an account has no root, and always a folder. */
function ownFolderOf(old: OldRecord, roots: ImportedRoots): Partial<RootFolder> {
  const [root, scope] = [textOf(old, 'root'), cleanScope(textOf(old, 'scope'))]
  if (root === NO_ROOT) return { root: NO_ROOT, scope }
  // Named, because the defaults of new users may say another one.
  return { root: FILES_ROOT, ...(root === '' ? { scope } : roots.folderIn(root, scope)) }
}

/** Those of installations of another program. */
function placesOf(old: OldRecord, subject: string, { roots, compile, report }: UsersImport): GivenPlace[] {
  return listOf(old, 'places').flatMap((value): GivenPlace[] => {
    const place = isRecord(value)
      ? value
      : fail('INVALID_INPUT', 'places must be a list of places', { field: 'places' })
    const { root = FILES_ROOT, scope } = roots.folderIn(textOf(place, 'root'), textOf(place, 'scope'))
    if (root === NO_ROOT) return []
    const name = textOf(place, 'name')
    const known = roots.roots.find(({ id }) => id === root)?.name
    const permissions = textsOf(place, 'permissions')
    return [
      {
        root,
        scope,
        name: name === known ? '' : usablePlaceName(name),
        permissions: PATH_PERMISSIONS.filter((permission) => permissions.includes(permission)),
        rules: importRules({ record: place, appliesTo: subject, compile, report }),
        permissionRules: [],
      },
    ]
  })
}

function usablePlaceName(name: string): string {
  return name
    .replaceAll(/[/\\\p{C}]/gu, ' ')
    .replace(/^[\s.]+/, '')
    .slice(0, 64)
    .trim()
}

/** The language of an account. One that filemgr does not have becomes English and is reported. */
export function localeOf(locale: string, fallback: string, subject: string, report: ReportWriter): string {
  if (locale === '') return fallback
  if ((LOCALES as readonly string[]).includes(locale)) return locale
  report.add('changed', subject, `the language "${locale.slice(0, 20)}" is unknown; now en`)
  return 'en'
}

function viewModeOf(viewMode: string, subject: string, report: ReportWriter): User['viewMode'] {
  const known = VIEW_MODES.find((mode) => mode === viewMode)
  if (known === undefined && viewMode !== '') {
    report.add('changed', subject, `the view "${viewMode.slice(0, 20)}" is unknown; now list`)
  }
  return known ?? 'list'
}

/** The eight permissions. Without permission to download, the links that a user shares could not be opened. */
export function permissionsOf(old: OldRecord, subject: string, report: ReportWriter): Permissions {
  const given = PERMISSIONS.map((permission) => [permission, booleanOf(old, permission)] as const)
  const perm = Object.fromEntries(given) as Permissions
  if (!perm.share || perm.download) return perm
  report.add('changed', subject, 'loses the permission to share, which requires the permission to download')
  return { ...perm, share: false }
}

function reportPassword(hash: string, subject: string, report: ReportWriter): void {
  if (BCRYPT.test(hash) || hash.startsWith('$argon2id$')) return
  const problem = hash === '' ? 'has no password' : 'has a password that cannot be checked here'
  report.add('lookAt', subject, `${problem} and cannot sign in: filemgr users passwd ${subject.slice('user '.length)}`)
}

/** Adds to an INVALID_INPUT error which record is invalid. @throws what `read` throws */
function withSubject<T>(subject: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isFilemgrError(error, 'INVALID_INPUT')) fail('INVALID_INPUT', `${subject}: ${error.message}`, error.details)
    throw error
  }
}
