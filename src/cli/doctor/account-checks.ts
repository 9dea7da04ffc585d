import { hasExpired } from '../../domain/accounts/api-token.ts'
import { hasQuota } from '../../domain/access/quota.ts'
import { GroupIndex } from '../../domain/accounts/effective-user.ts'
import { isAdministrator } from '../../domain/accounts/user.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import { foldName } from '../../domain/text/fold.ts'
import { describeResult } from '../../domain/automation/webhook.ts'
import {
  requirePasswordlessUser,
  requireProgram,
  requireUsableSignIn,
} from '../../services/accounts/auth/sign-in-problem.ts'
import { advice, type Check, fault, type DoctorContext, skip } from './doctor-context.ts'

const HASH = /^\$(argon2id\$|2[aby]\$\d\d\$)/

export const accountsCheck: Check = {
  name: 'accounts',
  title: 'Accounts: administrator, passwords and names',
  run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { users, settings } = document
    const admin = users.some(isAdministrator)
    const missing = fault(
      'no account is an administrator',
      'filemgr users set NAME --perm.admin, or users add NAME --perm.admin',
    )
    const without = users.filter(({ passwordHash }) => !HASH.test(passwordHash))
    const needsPasswords = settings.authMethod === 'json'
    return [
      ...(admin ? [] : [missing]),
      ...(needsPasswords ? without : []).map(({ username }) =>
        fault(`the user ${username} has no password`, `filemgr users passwd ${username}`),
      ),
      ...[...Map.groupBy(users, ({ username }) => foldName(username)).values()]
        .filter(({ length }) => length > 1)
        .map((alike) => {
          const problem = `the user names ${alike.map(({ username }) => username).join(', ')} differ only in case or accents' form`
          return advice(
            problem,
            'each signs in with exactly this name; rename one: filemgr users set NAME --username NEW',
          )
        }),
    ]
  },
}

export const groupsCheck: Check = {
  name: 'groups',
  title: 'Groups: members, and what they give',
  run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { groups, users } = document
    const known = new Set(users.map(({ id }) => id))
    const index = new GroupIndex(groups)
    const used = new Set(users.flatMap((user) => index.of(user)))
    return groups.flatMap((group) => {
      const { name, members } = group
      const missing = members.filter((id) => !known.has(id))
      const stale = `the group ${name} has members that do not exist: ${missing.join(', ')}`
      const set = `filemgr groups set "${name}"`
      if (missing.length > 0) return [advice(stale, 'they can do nothing; a change of the members removes them')]
      if (!used.has(group))
        return [advice(`the group ${name} has no members`, `filemgr groups members add "${name}" USER`)]
      const rules = group.rules.length + group.permissionRules.length
      const givesNothing =
        !hasQuota(group) && rules === 0 && group.places.length === 0 && !Object.values(group.perm).includes(true)
      return givesNothing ? [advice(`the group ${name} gives nothing`, `such as: ${set} --perm.download`)] : []
    })
  },
}

export const signInCheck: Check = {
  name: 'sign-in',
  title: 'Sign-in method: working and safe',
  async run({ options, store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { settings, users } = document
    try {
      requireUsableSignIn({ settings, options, users })
      requirePasswordlessUser({ settings, options, users })
      await requireProgram(settings)
      return []
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      const [problem = '', ...advice] = error.message.split('; ')
      return [fault(problem, advice.join('; ') || 'see the sign-in settings: filemgr settings get auth')]
    }
  },
}

export const maintenanceCheck: Check = {
  name: 'maintenance',
  title: 'Maintenance mode: off',
  run({ store: { document }, now }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { maintenance } = document
    if (maintenance === undefined) return []
    const { since, until } = maintenance
    const isLate = until !== undefined && Date.parse(until) < now
    const problem = `only administrators are let in since ${since}${isLate ? `; it was to end at ${until}` : ''}`
    return [advice(problem, 'to let everyone in again: filemgr maintenance off')]
  },
}

export const signUpCheck: Check = {
  name: 'sign-up',
  title: 'Sign-up and home folders',
  run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { signup, createUserDir } = document.settings
    if (!signup || createUserDir) return []
    const problem = 'users who sign up get home folders, but accounts that you create see all files'
    return [advice(problem, 'to give them home folders too: filemgr settings set createUserDir=true')]
  },
}

/** Milliseconds. */
const LONG_UNUSED = 90 * 86_400_000

export const tokensCheck: Check = {
  name: 'tokens',
  title: 'API tokens that nobody uses',
  run({ store: { document }, now }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const idle = document.tokens.filter(
      (token) => !hasExpired(token, now) && Math.max(token.created, token.lastUsed) < now - LONG_UNUSED,
    )
    if (idle.length === 0) return []
    const count = idle.length === 1 ? '1 API token was' : `${idle.length} API tokens were`
    return [advice(`${count} not used for 90 days`, 'list them with filemgr tokens ls, then: filemgr tokens rm ID')]
  },
}

export const webhooksCheck: Check = {
  name: 'webhooks',
  title: 'Webhooks: accepted by their receivers',
  async run({ folder, database, store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const enabled = document.webhooks.filter((webhook) => webhook.enabled)
    if (enabled.length === 0) return []
    const { readWebhookStates } = await import('../../upkeep/inspect-store.ts')
    const states = await readWebhookStates({ folder, url: database })
    return enabled.flatMap(({ id, url }) => {
      const { last, failures = 0, deliveries = [] } = states.get(id) ?? {}
      if (last === undefined || last === null || failures === 0) return []
      const waiting = deliveries.length === 1 ? '1 event waits' : `${deliveries.length} events wait`
      const problem = `the webhook ${id} to ${new URL(url).host} ${describeResult(last)}; ${waiting}`
      return [advice(problem, `correct the receiver or its address, then: filemgr webhooks test ${id}`)]
    })
  },
}
