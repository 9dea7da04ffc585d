import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { parseJson } from '../domain/parse-value.ts'
import { createValueCheck } from '../platform/value-check.ts'
import { writeAtomic } from '../store/atomic-file.ts'
import { unlessErrno } from '../store/disk.ts'
import type { StoreDocument } from '../store/document.ts'
import type { FirstDocument, NewAccount } from './first-start.ts'
/** The password that a first start made up, until it was shown: the start may fail, or be killed, before it is. */
const FirstPassword = Type.Object({ password: Type.String(), passwordHash: Type.String() })
const check = createValueCheck(FirstPassword)

const pathIn = (folder: string) => join(folder, 'first-password.json')

/** For the owner alone. A password that was given is known, and not kept. */
export async function keepFirstPassword(folder: string, { account, document }: FirstDocument): Promise<void> {
  const passwordHash = document.users.find(({ id }) => id === account.id)?.passwordHash
  if (account.password === undefined) return
  await writeAtomic(pathIn(folder), Buffer.from(JSON.stringify({ password: account.password, passwordHash })))
}

/** The account whose password nobody has seen yet. */
export async function unseenAccount(
  folder: string,
  { users }: Pick<StoreDocument, 'users'>,
): Promise<NewAccount | undefined> {
  const text = await unlessErrno(readFile(pathIn(folder), 'utf8'), 'ENOENT')
  const kept = parseJson(text ?? '')
  if (!check.accepts(kept, 0)) return undefined
  // Another store, or another password since: this one opens nothing any more.
  const user = users.find(({ passwordHash }) => passwordHash === kept.passwordHash)
  return user && { id: user.id, username: user.username, password: kept.password }
}

/** To be called once the password was shown. */
export async function forgetFirstPassword(folder: string): Promise<void> {
  await rm(pathIn(folder), { force: true })
}
