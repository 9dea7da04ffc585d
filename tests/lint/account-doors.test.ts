import { describe, expect, it } from 'vitest'
import { filesThatWriteAccounts, serverProgram } from '../helpers/account-writes.ts'

/** Who changes the list of accounts of a store. All that are new come from `draftAccount`, and doors.test.ts walks each way to it. */
const WRITERS = {
  'src/services/accounts/users/enrol.ts': 'stores new accounts',
  'src/services/server/roots/roots.ts': 'takes the places in a root that is removed',
  'src/services/server/setup.ts': 'makes the first administrator of a new store',
  'src/import/filebrowser/plan-import.ts': 'adds an old installation to a store',
  'src/import/import-installation.ts': 'stores the planned import',
  'src/services/stored-users.ts': 'changes and removes accounts',
  'src/services/accounts/auth/by-password.ts': 'renews an outdated hash',
  'src/services/accounts/factors/trusted-devices.ts': 'notes and forgets trusted devices',
  'src/services/accounts/providers/providers.ts': 'takes back what a removed provider gave',
  'src/services/accounts/sessions/sessions.ts': 'notes when accounts were used',
  'src/services/accounts/tokens/api-tokens.ts': 'notes when the account of a removed token was last used',
  'src/services/automation/notices.ts': 'notes what an account has read',
  'src/services/what-changed.ts': 'only compares: its table has the names of the lists',
  'src/services/server/backup/restored-document.ts': 'takes the accounts of a backup',
  'src/services/server/backup/backups.ts': 'puts a backup in place',
  'src/store/document.ts': 'reads a store',
}

/** Ways to store an account that nothing else has made. */
const BODIES = [
  'draft.users.push(user); void now',
  'draft.users = [...now.users, user]',
  'draft.users[now.users.length] = user',
  'draft.users.splice(0, 0, user); void now',
  'Object.assign(draft, { users: [...now.users, user] })',
  'const { users } = draft; users.push(user); void now',
  'const { users: all } = draft; all[0] = user; void now',
]

const folder = 'src/services/accounts/auth'
const doors = BODIES.map((body, index) => ({
  body,
  file: `${folder}/by-new-door-${index}.ts`,
  text: `
import type { User } from '../../../domain/accounts/user.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
export async function enter(store: Store<StoreDocument>, user: User): Promise<void> {
  await store.update((draft, now) => { ${body} })
}
`,
}))

const found = filesThatWriteAccounts(serverProgram(Object.fromEntries(doors.map(({ file, text }) => [file, text]))))

describe('the list of accounts', () => {
  it('is written by these files only', () => {
    const files = found.filter((file) => !doors.some((door) => door.file === file))
    expect(files.toSorted()).toEqual(Object.keys(WRITERS).toSorted())
  })

  it.each(doors)('has no new door unnoticed, such as "$body"', ({ file }) => {
    expect(found).toContain(file)
  })
})
