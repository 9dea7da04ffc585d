import { type Actor, requireSignedIn, userIdOf } from '../../domain/accounts/actor.ts'
import { servedFolderOf } from '../../domain/server/root.ts'
import type { User } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import type { GrantId, GroupId, UserId } from '../../domain/ids.ts'
import { nameOf, parseVirtualPath, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import {
  freeGrantName,
  type Grant,
  type GrantKind,
  type GrantView,
  isGrantExpired,
  type NewGrant,
  type Recipient,
  type SharedWithMe,
  type Someone,
} from '../../domain/shares/grant.ts'
import { shownPathOf } from '../../domain/shares/shared-folder.ts'
import { createNameOrder } from '../../domain/files/name-order.ts'
import { foldName } from '../../domain/text/fold.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Random } from '../../platform/security/random.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { AccessService } from '../access/access.ts'
import { isMemberOf } from '../access/grant-index.ts'
import { managesAll, type ShareTargets } from './share-records.ts'

export interface GrantsDeps {
  readonly store: Store<StoreDocument>
  readonly access: AccessService
  readonly targets: ShareTargets
  readonly clock: Clock
  readonly random: Random
}

export interface GrantInput {
  readonly to: NewGrant['to']
  readonly allows?: GrantKind | undefined
  /** Unix seconds, 0 = never. */
  readonly expires: number
}

export interface GrantEdit {
  readonly allows?: GrantKind | undefined
  /** Unix seconds, 0 = never; undefined keeps it. */
  readonly expires?: number | undefined
}

/** Of one user. */
const MAX_GRANTS = 1000
/** Letters that must be known of a name, and names that are found by them. */
const MIN_LETTERS = 2
const MAX_FOUND = 20

/** What users share with other users of this server. */
export function createGrants({ store, access, targets, clock, random }: GrantsDeps) {
  /** As its owner names it. */
  const shownPath = (grant: Grant): VirtualPath => access.shownTo(grant.owner, grant) as VirtualPath

  const viewOf = async (grant: Grant): Promise<GrantView> => {
    const { users } = store.snapshot()
    const owner = users.find(({ id }) => id === grant.owner)
    const { id, name, allows, created, expires, target, to } = grant
    return {
      id,
      path: shownPath(grant),
      name,
      owner: owner?.username ?? '',
      to: recipientView(store.snapshot(), to),
      allows,
      isDir: target.isDir === true,
      created,
      expires,
      target: owner === undefined ? 'missing' : await targets.stateOf(grant, owner),
    }
  }

  const owned = (document: Readonly<StoreDocument>, actor: Actor, id: string): Grant => {
    const all = managesAll(actor, document)
    const grant = document.grants.find((each) => each.id === (id as GrantId))
    // Alike, since ids of others are nobody's business.
    if (grant === undefined || !(all || (actor.kind === 'user' && grant.owner === actor.id)))
      return fail('NOT_FOUND', 'nothing is shared by this id')
    return grant
  }

  return {
    /**
     * Shares an existing file or folder that the owner may access.
     *
     * @param owner in whose name the operator acts
     * @throws FORBIDDEN; NOT_FOUND, also for a recipient that does not exist; CONFLICT if it is shared with this one already;
     *         INVALID_INPUT
     */
    async create(actor: Actor, text: string, input: GrantInput, owner?: UserId): Promise<GrantView> {
      requireSignedIn(actor)
      using files =
        actor.kind === 'operator' && owner !== undefined
          ? await access.ofUser(owner, text)
          : await access.at(actor, text)
      const { path, user } = files
      if (files.given !== undefined) fail('FORBIDDEN', 'only its owner can share this')
      files.require('shares.manage', path)
      files.requireAllowed(path)
      const { allows = 'download', expires } = input
      using scope = await files.scope.within(path)
      const target = await scope.identify(ROOT)
      const isHere = (each: Grant) => each.path === path && each.scope === servedFolderOf(user)
      if (allows === 'upload' && target.isDir !== true)
        fail('INVALID_INPUT', 'only a folder can take files', { field: 'allows' })
      const grant = await store.update((draft, now) => {
        files.requireStill()
        const to = recipientNamed(now, input.to)
        if ('user' in to && to.user === user.id) fail('INVALID_INPUT', 'this is yours already', { field: 'to' })
        const own = now.grants.filter((each) => each.owner === user.id)
        if (own.length >= MAX_GRANTS)
          fail('CONFLICT', `a user can share at most ${MAX_GRANTS} times; end some first`, { reason: 'maximum' })
        if (own.some((each) => isHere(each) && isSameRecipient(each.to, to)))
          fail('CONFLICT', 'this is shared with them already', { field: 'to' })
        const taken = own.map(({ name }) => name)
        const made: Grant = {
          id: random.token(12) as GrantId,
          owner: user.id,
          // Once for all recipients of the same: who is in two groups sees it twice, with a number.
          name: own.find(isHere)?.name ?? freeGrantName(nameOf(path) || files.rootName, taken),
          path,
          scope: servedFolderOf(user),
          target,
          to,
          allows,
          created: Math.floor(clock.now() / 1000),
          expires,
        }
        draft.grants = [...now.grants, made]
        return made
      })
      return await viewOf(grant)
    },

    /**
     * What a user shares, or all users for the operator.
     *
     * @param text only what is shared of this path
     * @throws FORBIDDEN
     */
    async list(actor: Actor, text?: string, owner?: UserId): Promise<GrantView[]> {
      managesAll(actor, store.snapshot())
      const path = text === undefined ? undefined : parseVirtualPath(text)
      const id = actor.kind === 'user' ? actor.id : owner
      const isListed = (grant: Grant) =>
        (id === undefined || grant.owner === id) && (path === undefined || shownPath(grant) === path)
      return await Promise.all(store.snapshot().grants.filter(isListed).map(viewOf))
    },

    /** @throws FORBIDDEN, NOT_FOUND, INVALID_INPUT */
    async update(actor: Actor, id: string, { allows, expires }: GrantEdit): Promise<GrantView> {
      requireSignedIn(actor)
      const changed = await store.update((draft, now) => {
        const grant = owned(now, actor, id)
        if (allows === 'upload' && grant.target.isDir !== true)
          fail('INVALID_INPUT', 'only a folder can take files', { field: 'allows' })
        const edited = { ...grant, ...(allows && { allows }), ...(expires !== undefined && { expires }) }
        draft.grants = now.grants.with(now.grants.indexOf(grant), edited)
        return edited
      })
      return await viewOf(changed)
    },

    /** Ends it at once, also for what runs. @throws FORBIDDEN, NOT_FOUND */
    async remove(actor: Actor, id: string): Promise<void> {
      requireSignedIn(actor)
      await store.update((draft, now) => {
        const grant = owned(now, actor, id)
        draft.grants = now.grants.filter((each) => each !== grant)
      })
    },

    /** Removes what has expired. @param after milliseconds since then */
    async prune(after: number): Promise<void> {
      const isOld = (grant: Grant) => isGrantExpired(grant, clock.now() - after)
      if (!store.snapshot().grants.some(isOld)) return
      await store.update((draft, now) => {
        draft.grants = now.grants.filter((grant) => !isOld(grant))
      })
    },

    /** What others share with the actor, the newest first. */
    sharedWith(actor: Actor): SharedWithMe[] {
      userIdOf(actor)
      const seen = (actor.kind === 'user' ? actor.user().noticesSeen?.until : undefined) ?? 0
      return access
        .granted(actor)
        .map(({ grant, owner, name, permissions }) => {
          const { id, to, allows, target, created, expires } = grant
          const { create, rename, modify, delete: remove, download } = permissions
          return {
            id,
            name: grant.name,
            path: shownPathOf(name),
            owner: owner.username,
            ...('group' in to && { group: recipientView(store.snapshot(), to).name }),
            allows,
            isDir: target.isDir === true,
            created,
            expires,
            isNew: created * 1000 > seen,
            permissions: { create, rename, modify, delete: remove, download },
          }
        })
        .toReversed()
    },

    /** Gives up what is shared with the actor; with a group, only for the actor. @throws NOT_FOUND */
    async leave(actor: Actor, id: string): Promise<void> {
      requireSignedIn(actor)
      const user = userIdOf(actor)
      await store.update((draft, now) => {
        const grant = access.granted(actor).find((each) => each.grant.id === (id as GrantId))?.grant
        const at = now.grants.findIndex((each) => each.id === grant?.id)
        const stored = now.grants[at]
        if (stored === undefined) return fail('NOT_FOUND', 'this is not shared with you, or no longer')
        draft.grants =
          'user' in stored.to
            ? now.grants.toSpliced(at, 1)
            : now.grants.with(at, { ...stored, left: [...(stored.left ?? []), user] })
      })
    },

    /**
     * People and groups by a part of their name, for who may share.
     *
     * @throws FORBIDDEN without that permission, or if the setting is off; INVALID_INPUT for less than two letters
     */
    people(actor: Actor, query: string): Someone[] {
      const { settings, users, groups } = store.snapshot()
      const membersOf = (id: GroupId) => users.filter((user) => isMemberOf(user, id, groups)).length
      managesAll(actor, store.snapshot())
      if (!settings.findPeople) fail('FORBIDDEN', 'names are not searched on this server: type the whole name')
      const wanted = foldName(query.trim())
      if ([...wanted].length < MIN_LETTERS)
        fail('INVALID_INPUT', `type at least ${MIN_LETTERS} letters of the name`, { field: 'q' })
      const isFound = ({ id, username, disabled }: User) =>
        !disabled && !(actor.kind === 'user' && actor.id === id) && foldName(username).includes(wanted)
      const compareNames = createNameOrder()
      const rank = ({ name }: Someone) => Number(!foldName(name).startsWith(wanted))
      const named = groups.filter(({ name }) => foldName(name).includes(wanted))
      return [
        ...users.filter(isFound).map(({ username }): Someone => ({ kind: 'user', name: username })),
        ...named.map(({ id, name }): Someone => ({ kind: 'group', name, members: membersOf(id) })),
      ]
        .toSorted((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
        .slice(0, MAX_FOUND)
    },
  }
}

/** @throws NOT_FOUND; INVALID_INPUT without a name */
function recipientNamed({ users, groups }: Readonly<StoreDocument>, { user, group }: NewGrant['to']): Recipient {
  if ((user === undefined) === (group === undefined))
    fail('INVALID_INPUT', 'name either a user or a group', { field: 'to' })
  if (group !== undefined) {
    const named = groups.find(({ name }) => foldName(name) === foldName(group))
    return { group: named?.id ?? fail('NOT_FOUND', `there is no group "${group}"`, { field: 'to' }) }
  }
  const found =
    users.find(({ username }) => username === user) ??
    users.find(({ username }) => foldName(username) === foldName(user ?? ''))
  if (found === undefined || found.disabled)
    return fail('NOT_FOUND', `there is nobody called "${user ?? ''}"`, { field: 'to' })
  return { user: found.id }
}

function recipientView({ users, groups }: Readonly<StoreDocument>, to: Recipient): GrantView['to'] {
  if ('group' in to) {
    const members = users.filter((user) => isMemberOf(user, to.group, groups)).length
    return { kind: 'group', name: groups.find(({ id }) => id === to.group)?.name ?? '', members }
  }
  return { kind: 'user', name: users.find(({ id }) => id === to.user)?.username ?? '' }
}

function isSameRecipient(one: Recipient, other: Recipient): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
