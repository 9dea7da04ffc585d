import type { ApiToken } from '../../../domain/accounts/api-token.ts'
import type { UserId } from '../../../domain/ids.ts'
import { type Random, systemRandom } from '../../../platform/security/random.ts'
import type { StoreDocument } from '../../../store/document.ts'
import { fail } from '../../../domain/errors.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { requireAdministrator, requireUsableSignIn } from '../../accounts/auth/sign-in-problem.ts'
import { requireMeaningful } from '../../settings/settings-values.ts'
import { requireUsableRules } from '../../access/usable-rules.ts'
import { withKnownPlaces } from '../../stored-roots.ts'
import { usablePlaces } from '../../accounts/usable-places.ts'
import { wholeGrants } from '../../kept-shares.ts'
import { withFields } from '../../accounts/users/account-fields.ts'

export interface Restoring {
  readonly backup: Readonly<StoreDocument>
  readonly before?: Readonly<Pick<StoreDocument, 'users' | 'nextUserId' | 'brandingFolder'>>
  /** The folder of the restored branding files, if the backup has any. */
  readonly brandingFolder: string | undefined
  readonly random?: Random
}

/**
 * Prepares the document of a backup to replace the current one. User ids assigned since are not reused. All sessions end,
 * because users may have been locked out since. The signing key is new, because anyone with the backup has the old one.
 */
export function restoredDocument({ backup, before, brandingFolder, random = systemRandom }: Restoring): StoreDocument {
  // Most backups are made during maintenance, which a restore neither begins nor ends.
  const { brandingFolder: _, maintenance: _state, ...document } = structuredClone(backup) as StoreDocument
  // An edited backup may lack accounts: what is theirs would pass to a new one with the same id.
  const present = new Set(document.users.map(({ id }) => id))
  const users = [...document.users, ...(before?.users ?? [])]
  const version = users.reduce((highest, user) => Math.max(highest, user.credentialsVersion), 0) + 1
  const folder = brandingFolder ?? before?.brandingFolder
  if (brandingFolder !== undefined) document.settings.branding.files = ''
  return {
    ...document,
    users: withKnownPlaces(document.users, document.roots).map((user) => ({ ...user, credentialsVersion: version })),
    groups: withKnownPlaces(document.groups, document.roots),
    shares: document.shares.filter(({ userID }) => present.has(userID)),
    grants: wholeGrants(document, document.grants),
    secrets: { tokenKey: random.token(64) },
    nextUserId: Math.max(document.nextUserId, before?.nextUserId ?? 1) as UserId,
    ...(folder !== undefined && { brandingFolder: folder }),
  }
}

/**
 * The API tokens that a restore through the web keeps: those that work now and are in the backup, as they are now. All others
 * end. The attack is an edited backup with a token for another administrator, in whose name everything would then be logged; and a
 * token that was revoked since must not come back.
 */
export function survivingTokens(
  backup: Readonly<Pick<StoreDocument, 'users' | 'tokens'>>,
  present: Readonly<Pick<StoreDocument, 'users' | 'tokens'>>,
): ApiToken[] {
  const inBackup = new Set(backup.tokens.map(({ hash }) => hash))
  const [before, after] = [present, backup].map(({ users }) => new Map(users.map(({ id, username }) => [id, username])))
  return present.tokens.filter(({ hash, userId }) => {
    const owner = after?.get(userId)
    return inBackup.has(hash) && owner !== undefined && owner === before?.get(userId)
  })
}

/** More ids than any installation needs, and far below the largest safe integer. */
const MAX_ID = 2 ** 31

/**
 * The part of a backup that is restored over HTTP. Sign-in method, providers, hooks, webhooks, roots and server options are not changed:
 * the attack is an edited backup that makes the daemon run a program, report to a stranger, or serve other folders.
 *
 * @throws INVALID_INPUT for values that the API does not accept
 */
export function webRestore(
  backup: Readonly<StoreDocument>,
  present: Readonly<StoreDocument>,
  { compile, options }: { readonly compile: PatternCompiler; readonly options: ServerOptions },
): Readonly<StoreDocument> {
  const { authMethod, auth, recaptcha, secondFactor, commands, hookLimits, shell } = present.settings
  const settings = { ...backup.settings, authMethod, auth, recaptcha, secondFactor, commands, hookLimits, shell }
  const { users, nextUserId } = backup
  // Ids are never reused, so a backup with a huge next id would leave none for new accounts.
  if (nextUserId > Math.max(MAX_ID, present.nextUserId))
    fail('INVALID_INPUT', `the backup cannot be used: nextUserId is above ${MAX_ID}`)
  requireMeaningful(settings, compile)
  requireUsableSignIn({ settings, options, users })
  requireAdministrator(users)
  for (const user of users) withFields(user, {}, compile)
  for (const { rules, permissionRules, places } of backup.groups) {
    requireUsableRules(rules, compile)
    requireUsableRules(permissionRules, compile, 'permissionRules')
    usablePlaces(places, compile)
  }
  const tokens = survivingTokens(backup, present)
  const { server, roots, webhooks, providers } = present
  const kept = { server, roots: [...roots], webhooks: [...webhooks], providers: [...providers] }
  return { ...backup, settings, tokens, ...kept }
}
