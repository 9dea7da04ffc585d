import { fault, skip, type Check, type Scene } from '../check.ts'

const HASH = /^\$(argon2id\$|2[aby]\$\d\d\$)/

export const accountsCheck: Check = {
  name: 'accounts',
  title: 'Accounts: an administrator, and passwords',
  run({ store: { document } }: Scene) {
    if (document === undefined) return skip('the store cannot be read')
    const { users, settings } = document
    const admin = users.some(({ perm }) => perm.admin)
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
