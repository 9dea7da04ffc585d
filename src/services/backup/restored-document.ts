import type { UserId } from '../../domain/ids.ts'
import { systemRandom, type Random } from '../../platform/random.ts'
import type { StoreDocument } from '../../store/document.ts'

export interface Restoring {
  readonly backup: Readonly<StoreDocument>
  readonly before?: Readonly<Pick<StoreDocument, 'users' | 'nextUserId' | 'brandingFolder'>>
  /** That of the branding files of the backup, where they take the place of the present ones. */
  readonly brandingFolder: string | undefined
  readonly random?: Random
}

/**
 * The document of a backup as it takes the place of another one. Ids that were given since are not given again, and every
 * session ends: users who were shut out after the backup was made must not be let in by it. A copy of the backup must not be
 * enough to sign tokens, so the key is a new one.
 */
export function restoredDocument({ backup, before, brandingFolder, random = systemRandom }: Restoring): StoreDocument {
  const { brandingFolder: _, ...document } = structuredClone(backup) as StoreDocument
  const users = [...document.users, ...(before?.users ?? [])]
  const version = users.reduce((highest, user) => Math.max(highest, user.credentialsVersion), 0) + 1
  const folder = brandingFolder ?? before?.brandingFolder
  if (brandingFolder !== undefined) document.settings.branding.files = ''
  return {
    ...document,
    users: document.users.map((user) => ({ ...user, credentialsVersion: version })),
    secrets: { tokenKey: random.token(64) },
    nextUserId: Math.max(document.nextUserId, before?.nextUserId ?? 1) as UserId,
    ...(folder !== undefined && { brandingFolder: folder }),
  }
}
