import type { Settings } from '../../domain/settings.ts'
import type { User } from '../../domain/user.ts'
import type { PatternCompiler } from '../../domain/rule-check.ts'
import { draftAccount, withFields, type UserFields } from './account-fields.ts'
import { cleanScope, homeOf } from './home-folder.ts'

export interface NewcomerInput {
  readonly username: string
  /** "" for somebody who cannot sign in by a password. */
  readonly passwordHash: string
  readonly lockPassword: boolean
  /** What the operator's sign-in program says of him, and nobody else may say. */
  readonly fields?: UserFields
  /** A home of his own whatever the settings say. */
  readonly home: 'always' | 'by-setting'
}

export interface NewcomerDeps {
  readonly settings: Readonly<Settings>
  readonly compile: PatternCompiler
  readonly now: number
}

/** An account to be, and whether its scope is a home that nobody else may have. */
export interface Newcomer {
  readonly account: User
  readonly ownsHome: boolean
}

/**
 * The only way to an account that no administrator makes: by sign-up, by a proxy, by a sign-in program. Whatever the
 * defaults for new users grant, nobody administers or runs commands by having come first (CVE-2026-32760,
 * CVE-2026-34528, CVE-2026-35607).
 *
 * @throws INVALID_INPUT for a name that cannot be
 */
export function newcomer(input: NewcomerInput, { settings, compile, now }: NewcomerDeps): Newcomer {
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
