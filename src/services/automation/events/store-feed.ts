import type { ServerEvent } from '../../../domain/automation/event.ts'
import type { UserId } from '../../../domain/ids.ts'
import { mayDo, type Right } from '../../../domain/access/permissions.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { Share } from '../../../domain/shares/share.ts'
import type { Grant } from '../../../domain/shares/grant.ts'
import { isRecipient } from '../../access/grant-index.ts'
import { changedSpan } from '../../../platform/changed-span.ts'
import { type EffectiveUser, permissionListsOf, rulesOfGroups } from '../../../domain/accounts/effective-user.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { RecordChange } from '../../../store/store.ts'
import type { UserIndex } from '../../stored-users.ts'

/** An event, and the users who get it. */
export interface Notice {
  readonly event: ServerEvent
  concerns(user: User): boolean
}

const byRight = (right: Right) => (user: User) => mayDo(user.perm, right)
const allUsers = () => true

/** The events for a change of the store. Compares values, because the new document may have been read from the disk. */
export function noticesOf(
  now: Readonly<StoreDocument>,
  before: Readonly<StoreDocument>,
  accounts: UserIndex,
): Notice[] {
  const notices: Notice[] = []
  if (differ(now.settings, before.settings) || differ(now.maintenance, before.maintenance))
    notices.push({ event: { name: 'settings', data: {} }, concerns: allUsers })
  if (differ(now.webhooks, before.webhooks))
    notices.push({ event: { name: 'settings', data: {} }, concerns: byRight('settings.manage') })
  if (differ(now.server, before.server))
    notices.push({ event: { name: 'server', data: { state: 'changed' } }, concerns: byRight('settings.manage') })
  if (differ(now.shares, before.shares)) {
    const owners = ownersOfChanged(now.shares, before.shares)
    notices.push({
      event: { name: 'shares', data: {} },
      concerns: (user) => user.perm.admin || owners.has(user.id),
    })
  }
  if (differ(now.grants, before.grants)) {
    const changed = changedGrants(now.grants, before.grants)
    notices.push({
      event: { name: 'shares', data: {} },
      concerns: (user) => changed.some((grant) => grant.owner === user.id || isRecipient(now, grant, user)),
    })
  }
  if (differ(now.users, before.users) || differ(now.groups, before.groups) || differ(now.roots, before.roots)) {
    const manages = byRight('users.manage')
    const ofUser = ({ id }: User) => differ(accountOf(accounts.find(id, now)), accountOf(accounts.find(id, before)))
    notices.push({ event: { name: 'users', data: {} }, concerns: (user) => manages(user) || ofUser(user) })
  }
  return notices
}

/** Whether a user's access to files has changed. */
export function hasAccessChanged(
  id: UserId,
  now: Readonly<StoreDocument>,
  before: Readonly<StoreDocument>,
  accounts: UserIndex,
): boolean {
  const accessOf = (document: Readonly<StoreDocument>) => {
    const user = accounts.find(id, document)
    const rules = [document.settings.rules, rulesOfGroups(user?.groups ?? []), user?.rules]
    const lists = user && permissionListsOf(document.settings, user)
    return [rules, lists, user?.hideDotfiles, placesIn(document, user)]
  }
  const placesIn = (document: Readonly<StoreDocument>, user: EffectiveUser | undefined) =>
    user?.allPlaces.all.map(({ name, folder, root, given }) => [
      name,
      folder,
      root && document.roots.find(({ id }) => id === root),
      given.map(({ place }) => place),
    ])
  const receivedIn = (document: Readonly<StoreDocument>) => {
    const user = accounts.find(id, document)
    return document.grants.filter((grant) => user && isRecipient(document, grant, user))
  }
  const mayReceive = now.grants !== before.grants || now.groups !== before.groups
  return differ(accessOf(now), accessOf(before)) || (mayReceive && differ(receivedIn(now), receivedIn(before)))
}

/** An account and what its groups give; who else is in them does not concern it. With the names of its places. */
function accountOf(user: EffectiveUser | undefined): unknown[] {
  const groups = (user?.groups ?? []).map((group) => ({ ...group, members: [] }))
  const names = user?.allPlaces.areSeveral === true ? user.allPlaces.all.map(({ name }) => name) : []
  return [user?.stored, groups, names]
}

/** Reports devices that were signed in or out, but not activity. Administrators get those of all users. */
export function sessionNoticesOf(changes: readonly RecordChange<Session>[]): Notice[] {
  const cameOrWent = changes.filter(({ before, now }) => before === undefined || now === undefined)
  const concerned = new Set(cameOrWent.map(({ before, now }) => (now ?? before)?.userId))
  if (concerned.size === 0) return []
  const manages = byRight('users.manage')
  return [{ event: { name: 'sessions', data: {} }, concerns: (user) => manages(user) || concerned.has(user.id) }]
}

/** Found once, because a search among all links for each user who is signed in would block the event loop. */
function ownersOfChanged(now: readonly Share[], before: readonly Share[]): Set<UserId> {
  const { start, end } = changedSpan(before, now, (one, other) => !differ(one, other))
  const [was, is] = [before, now].map((shares) =>
    Map.groupBy(shares.slice(start, shares.length - end), ({ userID }) => userID),
  ) as [Map<UserId, Share[]>, Map<UserId, Share[]>]
  return new Set([...was.keys(), ...is.keys()].filter((id) => differ(was.get(id), is.get(id))))
}

/** With those that have ended, as they were, and without what some have left. */
function changedGrants(now: readonly Grant[], before: readonly Grant[]): Grant[] {
  const { start, end } = changedSpan(before, now, (one, other) => !differ(one, other))
  return [before, now].flatMap((grants) =>
    grants.slice(start, grants.length - end).map(({ left: _, ...grant }) => grant),
  )
}

function differ(a: unknown, b: unknown): boolean {
  if (a === b) return false
  // Comparing records one by one is much faster: most of them are the same objects.
  if (Array.isArray(a) && Array.isArray(b))
    return a.length !== b.length || a.some((record, index) => differ(record, b[index]))
  return JSON.stringify(a) !== JSON.stringify(b)
}
