import { Value } from 'typebox/value'
import { User } from '../../src/domain/user.ts'
import type { StoreDocument } from '../../src/store/document.ts'
import { emptyDocument } from '../../src/store/empty-document.ts'

export function sampleUser(id: number, username = `user${id}`): User {
  return { ...Value.Create(User), id: id as User['id'], username, passwordHash: '$argon2id$sample' }
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
