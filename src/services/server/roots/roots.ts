import { isAbsolute, resolve } from 'node:path'
import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import { GroupIndex } from '../../../domain/accounts/effective-user.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { fail } from '../../../domain/errors.ts'
import type { RootId } from '../../../domain/ids.ts'
import { defaultsOf } from '../../../domain/schema/schema-tools.ts'
import {
  FILES_ROOT,
  MAX_ROOTS,
  requireHiddenNames,
  requireRootName,
  Root,
  type RootChange,
  rootNamed,
  type RootView,
} from '../../../domain/server/root.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { foldName } from '../../../domain/text/fold.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { ConfirmPassword } from '../../accounts/auth/passwords.ts'
import { withKnownPlaces } from '../../stored-roots.ts'
import { rootState } from './root-state.ts'
import { liesInOneOf, type LocationDeps, mountPointOf, requireUsableLocation } from './root-location.ts'

export interface RootsDeps extends LocationDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'openScope'>
  readonly options: Pick<ServerOptions, 'root' | 'rootsIn' | 'readOnly' | 'followExternalSymlinks'>
  readonly confirm: ConfirmPassword
  readonly random: Random
}

/** A change, with the password of the caller: it decides what is served, and to whom. */
type Order = RootChange & { readonly current_password?: string | undefined }

interface Found {
  /** Undefined for a new root. */
  readonly before?: Root
  /** What the change changes. */
  readonly root: Root
}

/**
 * The roots, for administrators. What is changed takes effect at once, also for work that is running. All functions throw
 * FORBIDDEN, and NOT_FOUND for an unknown root.
 */
export function createRoots(deps: RootsDeps) {
  const { store, storage, options, confirm, random } = deps

  const viewOf = async (root: Root, now = store.snapshot()): Promise<RootView> => ({
    ...root,
    ...(await rootState(storage, root.id)),
    people: peopleOf(root.id, now),
  })

  /** What the server options say. */
  const filesRoot = (): Root => ({
    ...defaultsOf(Root),
    id: FILES_ROOT,
    name: FILES_ROOT,
    location: options.root,
    readOnly: options.readOnly,
    followLinks: options.followExternalSymlinks,
    trashDays: store.snapshot().settings.trash.days,
  })

  /**
   * What only the operator may do: an administrator of the site is not always one of the machine.
   *
   * @throws FORBIDDEN
   */
  const requireMayChange = async (actor: Actor, before: Root | undefined, after: Root): Promise<void> => {
    if (actor.kind === 'operator') return
    if (after.followLinks && before?.followLinks !== true)
      fail('FORBIDDEN', 'only the operator may let a root follow links: run "filemgr roots set" on the server')
    if (after.location === before?.location || (await liesInOneOf(options.rootsIn, after.location, deps))) return
    const advice = 'run "filemgr roots add" on the server, or start it with --roots-in'
    fail('FORBIDDEN', `no roots may be added there on the web: ${advice}`, { field: 'location' })
  }

  /** Checks a root against the others, and saves it unless these have changed meanwhile. */
  const write = async (
    actor: Actor,
    change: RootChange,
    find: (roots: readonly Root[]) => Found,
  ): Promise<RootView> => {
    for (;;) {
      const { roots } = store.snapshot()
      const { before, root } = find(roots)
      const wanted = checked({ ...root, ...change })
      await requireMayChange(actor, before, wanted)
      const others = [filesRoot(), ...roots].filter(({ id }) => id !== root.id)
      requireFreeName(others, wanted)
      const after = await located(wanted, change, before, others)
      const isSaved = await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        if (now.roots !== roots) return false
        draft.roots =
          before === undefined ? [...now.roots, after] : now.roots.map((each) => (each === before ? after : each))
        return true
      })
      if (isSaved) return await viewOf(after)
    }
  }

  /** @throws INVALID_INPUT, CONFLICT if it cannot be there */
  const located = async (
    root: Root,
    { mountPoint }: RootChange,
    before: Root | undefined,
    others: readonly Root[],
  ): Promise<Root> => {
    const isMoved = root.location !== before?.location
    if (isMoved) await requireUsableLocation({ ...root, others }, deps)
    if (!isMoved && mountPoint === undefined) return root
    return { ...root, mountPoint: await mountPointOf(root.location, mountPoint, deps) }
  }

  return {
    /** The id of a root that the operator names. @throws NOT_FOUND */
    find: (nameOrId: string): RootId => rootNamed([filesRoot(), ...store.snapshot().roots], nameOrId).id,

    /** The root `files` first, then by name. */
    async list(actor: Actor): Promise<RootView[]> {
      requireAdmin(actor, 'settings.manage')
      const now = store.snapshot()
      const named = now.roots.toSorted((a, b) => compareNames(a.name, b.name))
      return await Promise.all([filesRoot(), ...named].map(async (root) => await viewOf(root, now)))
    },

    /** @throws INVALID_INPUT, CONFLICT; nothing is changed then, also not on the disk */
    async create(actor: Actor, { current_password: password, ...change }: Order): Promise<RootView> {
      requireAdmin(actor, 'settings.manage')
      await confirm(actor, password)
      const id = random.token(9) as RootId
      return await write(actor, change, (roots) => {
        if (roots.length >= MAX_ROOTS)
          fail('CONFLICT', `there can be at most ${MAX_ROOTS} roots`, { reason: 'maximum' })
        return { root: { ...defaultsOf(Root), id, name: '', location: '' } }
      })
    },

    /** Sets all given values, or none. @throws INVALID_INPUT, CONFLICT */
    async change(actor: Actor, id: string, { current_password: password, ...change }: Order): Promise<RootView> {
      requireAdmin(actor, 'settings.manage')
      await confirm(actor, password)
      requireOther(id)
      return await write(actor, change, (roots) => {
        const before = requireRoot(roots, id)
        return { before, root: before }
      })
    },

    /** No file is deleted. Places in it go with it, and accounts that live in it see no files until they are given another root. */
    async remove(actor: Actor, id: string, password?: string): Promise<void> {
      requireAdmin(actor, 'settings.manage')
      await confirm(actor, password)
      requireOther(id)
      await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        const gone = requireRoot(now.roots, id)
        draft.roots = now.roots.filter((root) => root !== gone)
        draft.users = withKnownPlaces(now.users, draft.roots)
        draft.groups = withKnownPlaces(now.groups, draft.roots)
      })
    },
  }
}

/** By name. */
function peopleOf(
  id: RootId,
  { users, groups }: Readonly<Pick<StoreDocument, 'users' | 'groups'>>,
): RootView['people'] {
  const gives = ({ places }: Pick<User, 'places'>) => places.some(({ root }) => root === id)
  const giving = groups.filter(gives)
  const index = new GroupIndex(giving)
  const members = new Map(giving.map((group) => [group.id, 0]))
  if (giving.length > 0)
    for (const user of users)
      for (const group of index.of(user)) members.set(group.id, (members.get(group.id) ?? 0) + 1)
  return {
    users: users
      .filter((user) => (user.root ?? FILES_ROOT) === id || gives(user))
      .map((user) => ({ id: user.id, username: user.username }))
      .toSorted((a, b) => compareNames(a.username, b.username)),
    groups: giving
      .map((group) => ({ id: group.id, name: group.name, members: members.get(group.id) ?? 0 }))
      .toSorted((a, b) => compareNames(a.name, b.name)),
  }
}

function compareNames(one: string, other: string): number {
  return foldName(one) < foldName(other) ? -1 : 1
}

function checked(root: Root): Root {
  requireHiddenNames(root.hidden)
  const { location } = root
  // A folder has one name: without a slash at the end.
  return { ...root, name: requireRootName(root.name), location: isAbsolute(location) ? resolve(location) : location }
}

function requireFreeName(others: readonly Root[], { name }: Root): void {
  const twin = others.find((other) => foldName(other.name) === foldName(name))
  if (twin !== undefined) fail('CONFLICT', `there is a root named "${twin.name}" already`, { field: 'name' })
}

function requireRoot(roots: readonly Root[], id: string): Root {
  return roots.find((root) => root.id === id) ?? fail('NOT_FOUND', 'there is no such root')
}

/** @throws INVALID_INPUT for `files` */
function requireOther(id: string): void {
  const advice = 'this root is what the server options say; change it with "filemgr server set"'
  if (id === FILES_ROOT) fail('INVALID_INPUT', advice)
}
