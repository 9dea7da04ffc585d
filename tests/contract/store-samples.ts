import type { User } from '../../src/domain/user.ts'
import type { StoreDocument } from '../../src/store/document.ts'
import { emptyDocument } from '../../src/store/empty-document.ts'

export function sampleUser(id: number, username = `user${id}`): User {
  const { defaults } = emptyDocument().settings
  return {
    ...defaults,
    id: id as User['id'],
    username,
    lockPassword: false,
    rules: [],
    passwordHash: '$argon2id$sample',
    updatedAt: 0,
  }
}

/** A store with the user `admin`, id 1. */
export function sampleDocument(): StoreDocument {
  return { ...emptyDocument(), users: [sampleUser(1, 'admin')], nextUserId: 2 as User['id'] }
}

/** A change: takes the next user id, as the service does. */
export function addUser(draft: StoreDocument): User['id'] {
  const id = draft.nextUserId
  draft.users.push(sampleUser(id))
  draft.nextUserId = (id + 1) as User['id']
  return id
}

/** A change: counts one up in a field that everybody writes. */
export function countUp(draft: StoreDocument): number {
  return ++draft.settings.tus.chunkSize
}
