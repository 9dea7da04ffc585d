import { fail } from '../../domain/errors.ts'
import type { PatternCompiler } from '../../domain/rule-check.ts'
import type { ServerOptions } from '../../domain/server-options.ts'
import type { StoreDocument } from '../../store/document.ts'
import { requireUsableSignIn } from '../auth/sign-in-problem.ts'
import { requireMeaningful } from '../settings/meaningful.ts'
import { withFields } from '../users/account-fields.ts'

/** More accounts than anybody ever made, and far from where whole numbers end. */
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
  // Ids are never given again, so that of a backup decides how many are left for new accounts.
  if (nextUserId > Math.max(MOST_IDS, present.nextUserId))
    fail('INVALID_INPUT', `the backup cannot be used: nextUserId is above ${MOST_IDS}`)
  requireMeaningful(settings, compile)
  requireUsableSignIn({ settings, options, users })
  for (const user of users) withFields(user, {}, compile)
  return { ...backup, settings, server: present.server }
}
