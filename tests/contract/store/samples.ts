import { Value } from 'typebox/value'
import { Share } from '../../../src/domain/shares/share.ts'
import { User } from '../../../src/domain/accounts/user.ts'
import { type StoreDocument, emptyDocument } from '../../../src/store/document.ts'

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

/** A change: adds a share, named by a number that goes up. */
export function addShare(draft: StoreDocument): number {
  const number = draft.shares.length + 1
  draft.shares.push({ ...Value.Create(Share), hash: `share${number}` as Share['hash'], userID: 1 as User['id'] })
  return number
}

/** A change: increments a number. */
export function countUp(draft: StoreDocument): number {
  return ++draft.settings.tus.chunkSize
}
