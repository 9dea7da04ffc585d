import { isFilemgrError } from '../../../domain/errors.ts'
import { requireProgram, requireUsableSignIn } from '../../../services/auth/sign-in-problem.ts'
import { fault, skip, type Check, type Scene } from '../check.ts'

export const signInCheck: Check = {
  name: 'sign-in',
  title: 'The way to sign in: it works, and lets nobody in who should not',
  async run({ options, store: { document } }: Scene) {
    if (document === undefined) return skip('the store cannot be read')
    const { settings, users } = document
    // That there is an administrator is looked at by another check.
    const administrators = users.some(({ perm }) => perm.admin) ? users : users.map(asAdministrator)
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
  return { ...user, perm: { ...user.perm, admin: true } }
}
