import { join } from 'node:path'
import { exportUsers, importUsers } from '../../api/accounts/operator.ts'
import type { User } from '../../domain/accounts/user.ts'
import { writeNewPrivateFile } from '../../platform/files/private-file.ts'
import type { ImportPlan } from '../../services/accounts/users/user-transfer.ts'
import { handler } from '../handler.ts'

export const userTransferHandlers = {
  export: handler(exportUsers, async ({ actor, query: { form } }, { services: { userTransfer }, store }) => {
    const users = userTransfer.export(actor)
    if (form === 'filemgr') return { users: [...users], withoutPassword: [] }
    const { exportUsers: inOldForm } = await import('../../import/filebrowser/export.ts')
    const { users: list, withoutPassword } = inOldForm(store.snapshot().users)
    return { users: [...list], withoutPassword: [...withoutPassword] }
  }),

  import: handler(importUsers, async ({ actor, query, body: { list, passwords = {}, ...mode } }, context) => {
    const { dataFolder, clock, services } = context
    const { userTransfer } = services
    const options = { ...mode, passwords: new Map(Object.entries(passwords)) }
    const plan = await userTransfer.plan(actor, list, options)
    if (query.dryRun === true) return outcomeOf(plan)
    const saved =
      mode.replace && dataFolder !== undefined
        ? await saveOld(dataFolder, clock.now(), userTransfer.export(actor))
        : undefined
    const done = await userTransfer.import(actor, list, options)
    return { ...outcomeOf(done), ...(saved !== undefined && { saved }) }
  }),
}

async function saveOld(folder: string, now: number, users: readonly object[]): Promise<string> {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-')
  const path = join(folder, `users-before-import-${time}.json`)
  await writeNewPrivateFile(path, `${JSON.stringify(users, undefined, 2)}\n`)
  return path
}

function outcomeOf({ added, changed, removed, withoutPassword }: ImportPlan) {
  const named = (users: readonly User[]) => users.map(({ id, username, scope }) => ({ id, username, scope }))
  return {
    added: named(added),
    changed: named(changed),
    removed: named(removed),
    withoutPassword: [...withoutPassword],
  }
}
