import { cleanVirtualPath, ROOT } from '../../domain/files/virtual-path.ts'
import { PATH_PERMISSIONS, type PathPermission } from '../../domain/access/rule.ts'
import { NO_ROOT } from '../../domain/accounts/place.ts'
import type { User } from '../../domain/accounts/user.ts'
import type { ReportWriter } from '../filebrowser/import-report.ts'
import { booleanOf, type OldRecord, recordOf, textOf } from '../filebrowser/old-record.ts'
import { rulesOfUser, type SeenFolder } from './access-rules.ts'
import { type QuantumSource, sourceNamed } from './quantum-config.ts'
import type { FileRights, Grant, QuantumDatabase, QuantumUser } from './quantum-database.ts'

export interface UsersConversion {
  readonly database: QuantumDatabase
  readonly sources: readonly QuantumSource[]
  readonly report: ReportWriter
}

export interface ConvertedUser {
  readonly user: QuantumUser
  /** The id here. */
  readonly id: number
  /** The folders that the user sees. */
  readonly seen: readonly SeenFolder[]
  /** In the form of File Browser. */
  readonly record: OldRecord
}

/** Higher ids are random numbers of release 2, most of them too large for a number here. */
const HIGHEST_KEPT_ID = 1_000_000

export function convertUsers(input: UsersConversion): ConvertedUser[] {
  const { users } = input.database
  const kept = users
    .map(({ id }) => Number(id))
    .filter((id) => Number.isInteger(id) && id >= 1 && id <= HIGHEST_KEPT_ID)
  let next = Math.max(0, ...kept) + 1
  // Without sign-in, everyone acts as the user with the lowest id.
  return users
    .toSorted((a, b) => Number(b.admin) - Number(a.admin))
    .map((user) => convertUser(user, kept.includes(Number(user.id)) ? Number(user.id) : next++, input))
}

function convertUser(user: QuantumUser, id: number, input: UsersConversion): ConvertedUser {
  const { database, report } = input
  const { username, preferences } = user
  const subject = `user ${username}`
  const granted = grantedFolders(user, subject, input)
  const rights = commonRights(granted.map((grant) => grant.rights))
  reportUser(user, subject, report)
  const places = granted.map(({ source, folder, rights: inSource }) => ({
    root: source.location,
    scope: folder,
    name: source.name,
    permissions: permissionsIn(inSource, user.share && !source.isPrivate),
    rules: rulesOfUser({ username, seen: { source, folder }, database }),
  }))
  const [only] = places
  const own = places.length === 1 ? only : undefined
  if (places.length > 1)
    report.add('changed', subject, `sees the sources ${places.map(({ name }) => name).join(', ')} as places`)
  const record = {
    id,
    username,
    password: isByPassword(user) ? user.passwordHash : '',
    // Who has several sources, or none, has no folder beside them.
    root: own?.root ?? NO_ROOT,
    scope: own?.scope ?? ROOT,
    places: own === undefined ? places : [],
    locale: localeOf(textOf(preferences, 'locale')),
    viewmode: viewModeOf(textOf(preferences, 'viewMode')),
    lockpassword: user.lockPassword,
    singleclick: booleanOf(preferences, 'singleClick'),
    dateformat: booleanOf(preferences, 'dateFormat'),
    hidedotfiles: !booleanOf(preferences, 'showHidden'),
    redirectaftercopymove: true,
    sorting: sortingOf(recordOf(preferences, 'sorting')),
    perm: {
      admin: user.admin,
      create: rights.create,
      rename: rights.modify,
      modify: rights.modify,
      delete: rights.delete,
      download: rights.download,
      share: user.share && granted.every(({ source }) => !source.isPrivate),
    },
    rules: own?.rules ?? [],
  }
  return { user, id, seen: granted, record }
}

interface GrantedFolder extends SeenFolder {
  readonly rights: FileRights
}

function grantedFolders(user: QuantumUser, subject: string, input: UsersConversion): GrantedFolder[] {
  const { sources, report } = input
  const granted = user.grants.flatMap((grant): GrantedFolder[] => {
    const source = sourceNamed(sources, grant.source)
    if (source === undefined) {
      report.add('dropped', subject, `access to ${grant.source}, which is not a source in the configuration`)
      return []
    }
    if (!grant.rights.view && !user.admin) return []
    const inSource = grant.scope === '' ? source.userScope : cleanVirtualPath(grant.scope)
    return [{ source, folder: inSource, rights: rightsIn(source, grant, user) }]
  })
  if (granted.length === 0)
    report.add('lookAt', subject, 'has no source, and sees no files: filemgr roots give ROOT --user NAME')
  // A source is one place.
  return granted.filter(({ source }, index) => granted.findIndex((other) => other.source === source) === index)
}

const ALL_RIGHTS: FileRights = { view: true, download: true, modify: true, create: true, delete: true }

/** Administrators may grant themselves every right, and the first release stored only some for them. */
function rightsIn({ readOnly }: QuantumSource, { rights }: Grant, { admin }: QuantumUser): FileRights {
  const given = admin ? ALL_RIGHTS : rights
  return readOnly ? { ...given, modify: false, create: false, delete: false } : given
}

/** The permissions in a place. */
function permissionsIn({ download, create, modify, delete: remove }: FileRights, share: boolean): PathPermission[] {
  const has = { download, create, modify, rename: modify, delete: remove, share: share && download }
  return PATH_PERMISSIONS.filter((permission) => has[permission])
}

/** The rights that a user has in all sources, for what the account is given later. */
function commonRights(rights: readonly FileRights[]): FileRights {
  const inAll = (right: keyof FileRights) => rights.length > 0 && rights.every((given) => given[right])
  return {
    view: inAll('view'),
    download: inAll('download'),
    modify: inAll('modify'),
    create: inAll('create'),
    delete: inAll('delete'),
  }
}

function reportUser(user: QuantumUser, subject: string, report: ReportWriter): void {
  if (!isByPassword(user)) {
    report.add('changed', subject, `signed in by ${user.loginMethod}, and has no password here`)
  } else if (user.hasSecondFactor) {
    report.add(
      'lookAt',
      subject,
      'signed in with a second factor, which filemgr does not ask for: the password is enough now',
    )
  }
  if (user.extras.length > 0) report.add('dropped', subject, user.extras.join(', '))
}

/** For other accounts, Quantum stores a hash of the *name* as their password. With that hash, anyone could sign in. */
function isByPassword({ loginMethod }: QuantumUser): boolean {
  return loginMethod === '' || loginMethod === 'password'
}

/** Quantum's names of languages that differ from ours. */
const LOCALES: Readonly<Record<string, string>> = {
  cz: 'cs',
  ua: 'uk',
  nl: 'nl-be',
  nlBE: 'nl-be',
  ptBR: 'pt-br',
  svSE: 'sv-se',
  zhCN: 'zh-cn',
  zhTW: 'zh-tw',
}

export function localeOf(locale: string): string {
  return LOCALES[locale] ?? locale
}

export function viewModeOf(viewMode: string): User['viewMode'] {
  if (viewMode === 'gallery' || viewMode === 'grid') return 'mosaic gallery'
  return viewMode === 'list' || viewMode === 'compact' ? 'list' : 'mosaic'
}

/** `asc` for names means A to Z in Quantum, and Z to A in our API. */
function sortingOf(sorting: OldRecord): OldRecord {
  const by = textOf(sorting, 'by')
  const asc = booleanOf(sorting, 'asc')
  if (by === 'size' || by === 'modified') return { by, asc }
  return { by: 'name', asc: by === 'name' && !asc }
}
