import { isAdministrator } from '../../domain/accounts/user.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import { requireProgram, requireUsableSignIn } from '../../services/accounts/auth/sign-in-problem.ts'
import { advice, type Check, fault, type DoctorContext, skip } from './doctor-context.ts'

const HASH = /^\$(argon2id\$|2[aby]\$\d\d\$)/

export const accountsCheck: Check = {
  name: 'accounts',
  title: 'Accounts: an administrator, and passwords',
  run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { users, settings } = document
    const admin = users.some(isAdministrator)
    const missing = fault(
      'there is no administrator',
      'filemgr users set NAME --perm.admin, or users add NAME --perm.admin',
    )
    const without = users.filter(({ passwordHash }) => !HASH.test(passwordHash))
    const asks = settings.authMethod === 'json'
    return [
      ...(admin ? [] : [missing]),
      ...(asks ? without : []).map(({ username }) =>
        fault(`the user ${username} has no password`, `filemgr users passwd ${username}`),
      ),
    ]
  },
}

export const signInCheck: Check = {
  name: 'sign-in',
  title: 'Sign-in method: it works and is safe',
  async run({ options, store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { settings, users } = document
    // That there is an administrator is looked at by another check.
    const administrators = users.some(isAdministrator) ? users : users.map(asAdministrator)
    try {
      requireUsableSignIn({ settings, options, users: administrators })
      await requireProgram(settings)
      return []
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      const [problem = '', ...advice] = error.message.split('; ')
      return [fault(problem, advice.join('; ') || 'filemgr settings get auth shows the way to sign in')]
    }
  },
}

function asAdministrator<U extends { readonly perm: object }>(user: U): U {
  return { ...user, disabled: false, perm: { ...user.perm, admin: true } }
}

export const signUpCheck: Check = {
  name: 'sign-up',
  title: 'Sign-up and home folders',
  run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const { signup, createUserDir } = document.settings
    if (!signup || createUserDir) return []
    const problem = 'new sign-ups get a home folder, but accounts that you create see everything'
    return [advice(problem, 'filemgr settings set createUserDir=true gives them home folders too')]
  },
}

export const sharesCheck: Check = {
  name: 'shares',
  title: 'Share links that never expire',
  run({ store: { document } }: DoctorContext) {
    if (document === undefined) return skip('the store cannot be read')
    const endless = document.shares.filter(({ expire }) => expire === 0)
    const open = endless.filter(({ passwordHash }) => passwordHash === undefined)
    if (endless.length === 0) return []
    const problem = `${endless.length} links never expire, ${open.length} of them without a password`
    return [advice(problem, 'filemgr shares ls shows them; filemgr shares set HASH --expires 30d')]
  },
}
