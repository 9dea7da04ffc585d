import type { Settings } from '../../../domain/settings/settings.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { draftAccount, type UserFields, withFields } from './account-fields.ts'
import { cleanScope, homeOf, isFreeHome, numberedHomes } from './home-folder.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { type Maintenance, maintenanceRefusal } from '../../../domain/maintenance.ts'
import type { UserId } from '../../../domain/ids.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { type Storage, storagePathOf } from '../../../storage/storage.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { requireFreeName } from './account-change.ts'

export interface NewAccountInput {
  readonly username: string
  /** Empty for users who cannot sign in with a password. */
  readonly passwordHash: string
  readonly lockPassword: boolean
  /** Further fields, from the operator's sign-in program only. */
  readonly fields?: UserFields
  /** Whether the account gets a home folder: always, or if the settings say so. */
  readonly home: 'always' | 'by-setting'
}

export interface NewAccountDeps {
  readonly settings: Readonly<Settings>
  readonly maintenance: Readonly<Maintenance> | undefined
  readonly compile: PatternCompiler
  readonly now: number
}

/** An account that is not stored yet. */
export interface DraftedAccount {
  readonly account: User
  /** Its scope is a home folder. */
  readonly ownsHome: boolean
}

/**
 * Creates every account that is not created by an administrator: by sign-up, a proxy or a sign-in program. Whatever the
 * defaults grant, it is not an administrator and cannot run commands (CVE-2026-32760, CVE-2026-34528, CVE-2026-35607).
 *
 * @throws INVALID_INPUT for an invalid name; MAINTENANCE
 */
export function newAccount(input: NewAccountInput, deps: NewAccountDeps): DraftedAccount {
  const { settings, maintenance, compile, now } = deps
  const refusal = maintenanceRefusal(maintenance, undefined, now)
  if (refusal !== undefined) throw refusal
  const { username, passwordHash, lockPassword, fields = {}, home } = input
  const { perm } = settings.defaults
  const template = draftAccount(
    {
      ...settings.defaults,
      perm: { ...perm, admin: false, execute: false, share: perm.share && perm.download },
      commands: [],
    },
    now,
  )
  const account = withFields({ ...template, passwordHash }, { ...fields, username, lockPassword }, compile)
  const ownsHome = fields.scope === undefined && (home === 'always' || settings.createUserDir)
  const scope = ownsHome ? homeOf(username, settings) : cleanScope(account.scope)
  return { account: { ...account, scope }, ownsHome }
}

export interface EnrolOptions {
  /** The scope is a home folder, which no other user may have. If it is taken, it gets a number. */
  readonly ownsHome: boolean
  /** A home folder with content counts as taken: users who choose their own name must not get an existing folder of that name. */
  readonly emptyHome?: boolean
}

/**
 * Stores an account with a new id, and creates its folder.
 *
 * @throws CONFLICT if the name is taken, or the home folder and a hundred numbered ones
 */
export type Enrol = (account: User, options: EnrolOptions) => Promise<User>

export interface EnrolDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'makeScope' | 'openScope'>
}

export function createEnrol({ store, storage }: EnrolDeps): Enrol {
  return async (account, { ownsHome, emptyHome = false }) => {
    const preferred = cleanVirtualPath(account.scope)
    for (const scope of ownsHome ? numberedHomes(preferred) : [preferred]) {
      const isFree = (document: Readonly<StoreDocument>) => !ownsHome || isFreeHome(document, scope)
      requireFreeName(store.snapshot(), account)
      if (!isFree(store.snapshot()) || (emptyHome && !(await isEmpty(storage, scope)))) continue
      if (scope !== ROOT) await storage.makeScope(storagePathOf(scope))
      const enrolled = await store.update((draft, now) => {
        // Checked again inside the write: two concurrent requests could both have found the name free (CVE-2026-72836).
        requireFreeName(now, account)
        if (!isFree(now)) return undefined
        const user: User = { ...account, scope, id: draft.nextUserId }
        draft.nextUserId = (draft.nextUserId + 1) as UserId
        draft.users = [...now.users, user]
        return user
      })
      if (enrolled !== undefined) return enrolled
    }
    return fail('CONFLICT', `no home folder named ${preferred} is free; choose another name`, { field: 'username' })
  }
}

/** Whether the folder is empty or missing. */
async function isEmpty(storage: EnrolDeps['storage'], folder: VirtualPath): Promise<boolean> {
  try {
    using scope = await storage.openScope(storagePathOf(folder), 'inside')
    for await (const _entries of scope.walk(ROOT, { rules: [], rulePrefix: ROOT, hideDotfiles: false })) return false
  } catch (error) {
    if (!isFilemgrError(error, 'NOT_FOUND')) throw error
  }
  return true
}
