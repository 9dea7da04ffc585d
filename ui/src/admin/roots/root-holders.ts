import type { GroupSummary } from '../../../../src/domain/accounts/group.ts'
import type { GivenPlace } from '../../../../src/domain/accounts/place.ts'
import type { UserView } from '../../../../src/domain/accounts/user.ts'
import type { RootId } from '../../../../src/domain/ids.ts'
import { FILES_ROOT } from '../../../../src/domain/server/root.ts'
import type { Receiver } from '../places/use-give.ts'

/** Somebody who has a folder of a root. */
export interface Holder {
  readonly key: string
  readonly receiver: Receiver
  /** In the root. */
  readonly scope: string
  /** Undefined for the own folder of an account. */
  readonly place: GivenPlace | undefined
}

type Account = Pick<UserView, 'id' | 'username' | 'root' | 'scope' | 'places'>

/** Those who were given something first, then those who live there. */
export function holdersOf(
  root: RootId,
  users: readonly Account[],
  groups: readonly Pick<GroupSummary, 'id' | 'name' | 'places'>[],
): Holder[] {
  const of = (receiver: Receiver, places: readonly GivenPlace[] = []): Holder[] =>
    places
      .filter((place) => place.root === root)
      .map((place, index) => ({
        key: `${receiver.kind} ${receiver.id} ${index}`,
        receiver,
        scope: place.scope,
        place,
      }))
  const receiverOf = ({ id, username: name }: Account) => ({ kind: 'user', id: String(id), name }) as const
  return [
    ...groups.flatMap(({ id, name, places }) => of({ kind: 'group', id, name }, places)),
    ...users.flatMap((user) => of(receiverOf(user), user.places)),
    ...users
      .filter((user) => (user.root ?? FILES_ROOT) === root)
      .map((user) => ({ key: `own ${user.id}`, receiver: receiverOf(user), scope: user.scope, place: undefined })),
  ]
}
