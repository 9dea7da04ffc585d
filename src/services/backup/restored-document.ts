import type { UserId } from '../../domain/ids.ts'
import { type Random, systemRandom } from '../../platform/security/random.ts'
import type { StoreDocument } from '../../store/document.ts'
import { fail } from '../../domain/errors.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import { requireUsableSignIn } from '../accounts/auth/sign-in-problem.ts'
import { requireMeaningful } from '../settings/settings-values.ts'
import { withFields } from '../accounts/users/account-fields.ts'

export interface Restoring {
  readonly backup: Readonly<StoreDocument>
  readonly before?: Readonly<Pick<StoreDocument, 'users' | 'nextUserId' | 'brandingFolder'>>
  /** The folder of the restored branding files, if the backup has any. */
  readonly brandingFolder: string | undefined
  readonly random?: Random
}

/**
 * The document of a backup as it takes the place of another one. Ids that were given since are not given again, and every
 * session ends: users who were shut out after the backup was made must not be let in by it. A copy of the backup must not be
 * enough to sign tokens, so the key is a new one.
 */
export function restoredDocument({ backup, before, brandingFolder, random = systemRandom }: Restoring): StoreDocument {
  const { brandingFolder: _, ...document } = structuredClone(backup) as StoreDocument
  const users = [...document.users, ...(before?.users ?? [])]
  const version = users.reduce((highest, user) => Math.max(highest, user.credentialsVersion), 0) + 1
  const folder = brandingFolder ?? before?.brandingFolder
  if (brandingFolder !== undefined) document.settings.branding.files = ''
  return {
    ...document,
    users: document.users.map((user) => ({ ...user, credentialsVersion: version })),
    secrets: { tokenKey: random.token(64) },
    nextUserId: Math.max(document.nextUserId, before?.nextUserId ?? 1) as UserId,
    ...(folder !== undefined && { brandingFolder: folder }),
  }
}

/** More accounts than any installation has, and far below the largest safe integer. */
const MOST_IDS = 2 ** 31

export interface WebRestoreDeps {
  readonly compile: PatternCompiler
  readonly options: ServerOptions
}

/**
 * What a backup brings back when it comes through the web: the way to sign in, hook lines and start-up values stay as they
 * are. An edited backup could set a program there, and run it as the daemon.
 *
 * @throws INVALID_INPUT for what the calls of the web would refuse to save
 */
export function webRestore(
  backup: Readonly<StoreDocument>,
  present: Readonly<StoreDocument>,
  { compile, options }: WebRestoreDeps,
): Readonly<StoreDocument> {
  const { authMethod, auth, recaptcha, commands, hookLimits, shell } = present.settings
  const settings = { ...backup.settings, authMethod, auth, recaptcha, commands, hookLimits, shell }
  const { users, nextUserId } = backup
  // Ids are never reused, so the id of the backup decides how many are left for new accounts.
  if (nextUserId > Math.max(MOST_IDS, present.nextUserId))
    fail('INVALID_INPUT', `the backup cannot be used: nextUserId is above ${MOST_IDS}`)
  requireMeaningful(settings, compile)
  requireUsableSignIn({ settings, options, users })
  for (const user of users) withFields(user, {}, compile)
  return { ...backup, settings, server: present.server }
}
