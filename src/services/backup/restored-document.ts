import type { UserId } from '../../domain/ids.ts'
import type { StoreDocument } from '../../store/document.ts'

/**
 * The document of a backup as it takes the place of another one. Ids that were given since are not given again, and every
 * session ends: whoever was shut out after the backup was made must not be let in by it.
 */
export function restoredDocument(
  backup: Readonly<StoreDocument>,
  before: Readonly<Pick<StoreDocument, 'users' | 'nextUserId'>> | undefined,
): StoreDocument {
  const document = structuredClone(backup) as StoreDocument
  const users = [...document.users, ...(before?.users ?? [])]
  const version = users.reduce((highest, user) => Math.max(highest, user.credentialsVersion), 0) + 1
  return {
    ...document,
    users: document.users.map((user) => ({ ...user, credentialsVersion: version })),
    nextUserId: Math.max(document.nextUserId, before?.nextUserId ?? 1) as UserId,
  }
}
