import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '../../../src/domain/accounts/session.ts'
import type { SessionFamily, SessionId, UserId } from '../../../src/domain/ids.ts'
import { dataFolder } from './opened.ts'

export const session = (name: string, fields: Partial<Session> = {}): Session => ({
  id: `${name}-0000000000000000` as SessionId,
  family: `${name}-family-0000000000` as SessionFamily,
  method: 'json',
  userId: 1 as UserId,
  signedInAt: 0,
  issuedAt: 0,
  expiresAt: 1,
  lastSeenAt: 0,
  credentialsVersion: 0,
  replaced: [],
  address: '',
  userAgent: '',
  ...fields,
})
/** A data folder, and the names in its folder of sessions. */
export async function sessionFolder() {
  const data = await dataFolder()
  const folder = join(data.folder, 'sessions')
  return { ...data, at: (name: string) => join(folder, name), names: async () => (await readdir(folder)).toSorted() }
}
