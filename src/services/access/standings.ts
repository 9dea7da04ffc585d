import type { UserActor, Visitor } from '../../domain/accounts/actor.ts'
import { type ApiToken, narrowed } from '../../domain/accounts/api-token.ts'
import type { EffectiveUser } from '../../domain/accounts/effective-user.ts'
import { fail } from '../../domain/errors.ts'
import {
  ALL_PERMISSIONS,
  mayDo,
  NO_PERMISSIONS,
  type Permissions,
  requireRight,
} from '../../domain/access/permissions.ts'
import { createPathJudge, type PatternCompiler } from '../../domain/access/rule-check.ts'
import {
  below,
  isInside,
  parseVirtualPath,
  relativeTo,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { GrantId } from '../../domain/ids.ts'
import type { Root } from '../../domain/server/root.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { common, type Grant, permissionsOfGrant } from '../../domain/shares/grant.ts'
import { termsOf } from '../../domain/shares/share.ts'
import { receivesFiles } from '../../domain/shares/share-terms.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { RootIndex } from '../stored-roots.ts'
import { effectivePermissions } from './file-access.ts'
import type { GrantIndex } from './grant-index.ts'
import type { Judges } from './judges.ts'
import { permissionsAt, type Standing } from './passed-checks.ts'
import type { UsersInPlaces } from './users-in-places.ts'

export interface StandingsDeps {
  readonly store: Store<StoreDocument>
  readonly inPlaces: UsersInPlaces
  readonly grants: GrantIndex
  readonly roots: RootIndex
  readonly judges: Judges
  readonly compile: PatternCompiler
  readonly options: Pick<ServerOptions, 'readOnly'>
}

/** What the store says at this moment about files of users, visitors and recipients. Asked again whenever something takes effect. */
export function createStandings({ store, inPlaces, grants, roots, judges, compile, options }: StandingsDeps) {
  const isReadOnly = (root: Root | undefined) => options.readOnly || root?.readOnly === true

  /** @param user as it is in the place whose files are meant */
  const of = (
    user: EffectiveUser,
    within: VirtualPath = ROOT,
    token?: ApiToken,
    settings = store.snapshot().settings,
  ): Standing => {
    const rootRecord = roots.of(user)
    const readOnly = isReadOnly(rootRecord)
    const most = mostOf(user, token)
    // What a place gives is bounded as what rules give.
    const permissions = user.here === undefined ? user.perm : common(user.perm, most)
    return {
      user,
      judge: judges.of(settings, user, { within, rootRecord }),
      permissions: effectivePermissions(permissions, readOnly),
      most: effectivePermissions(most, readOnly),
      within,
      root: ROOT,
      rootRecord,
      reaches: token?.path,
    }
  }

  /** @param folder of a place of the actor. @throws FORBIDDEN if it is none, or no longer */
  const ofPlace = (actor: UserActor, folder: VirtualPath): Standing => {
    const { token } = actor
    const account = actor.user()
    const here = inPlaces.in(account, folder)
    if (token === undefined || token.path === ROOT) return of(here, ROOT, token)
    const top = account.allPlaces.shown(folder, ROOT) ?? ROOT
    if (isInside(token.path, top)) return of(here, ROOT, token)
    if (!isInside(top, token.path)) fail('FORBIDDEN', `this API token reaches only ${token.path}`)
    return of(here, relativeTo(top, token.path), token)
  }

  /**
   * What a visitor may reach: the share and everything in it, by the owner's current permissions and rules. Together with
   * `openShare` the only way for visitors to files.
   *
   * @throws FORBIDDEN if the owner may not share this, or no longer; NOT_FOUND if it is not what was shared
   */
  const ofLink = (visitor: Visitor): Standing => {
    const { share, owner } = visitor.link()
    const own = of(ownerIn(owner, share.scope))
    const root = parseVirtualPath(share.path)
    // A share ends when its owner loses the permission to share (CVE-2026-35604).
    requireRight(permissionsAt(own, root), 'shares.manage')
    if (!own.judge.allows(root)) fail('FORBIDDEN', 'a rule denies this path')
    return { ...own, given: givenIfShared({ ...NO_PERMISSIONS, download: true }), root }
  }

  /** @throws NOT_FOUND if the owner does not see the folder of what was shared any more */
  const ownerIn = (owner: EffectiveUser, scope: VirtualPath): EffectiveUser =>
    inPlaces.of(owner, scope) ?? failMissingTarget()

  const ofReader = (visitor: Visitor): Standing => {
    // Refuses every path alike, so that nobody can probe for names.
    if (termsOf(visitor.link().share).allows === 'upload') fail('FORBIDDEN', 'this link only takes files')
    return ofLink(visitor)
  }

  /** With the owner's paths. */
  const ofSender = (visitor: Visitor): Standing => {
    const { share } = visitor.link()
    if (!receivesFiles(termsOf(share))) fail('FORBIDDEN', 'this link takes no files')
    const own = { ...ofLink(visitor), given: undefined, root: ROOT }
    requireRight(permissionsAt(own, parseVirtualPath(share.path)), 'uploads.begin')
    return { ...own, given: givenIfShared({ ...NO_PERMISSIONS, create: true }) }
  }

  /**
   * What a recipient may reach: what is shared and everything in it, with the owner's paths, by the owner's permissions and rules.
   *
   * @param sends also what only takes files
   * @throws NOT_FOUND if it is not shared with this user, or is not what was shared; FORBIDDEN if the owner may not share it, or no
   *         longer
   */
  const ofGrant = (actor: UserActor, id: GrantId, sends = false): Standing => {
    const to = actor.user()
    const { grant, owner } = grants.find(id, to.id)
    const { allows } = grant
    const own = of(ownerIn(owner, grant.scope), withinGrant(actor, grant))
    requireRight(permissionsAt(own, grant.path), 'shares.manage')
    if (allows === 'upload' && !sends) fail('FORBIDDEN', 'this only takes files')
    if (!own.judge.allows(own.within)) fail('FORBIDDEN', 'a rule denies this path')
    // What the recipient may do anywhere bounds only a token.
    const most = actor.token === undefined ? ALL_PERMISSIONS : narrowed(to.perm, actor.token)
    const given = (here: Permissions) =>
      mayDo(here, 'shares.manage') ? common(permissionsOfGrant(allows, here), most) : NO_PERMISSIONS
    return { ...own, given, granted: { to, allows } }
  }

  /** The part of a grant that an API token is limited to. @throws FORBIDDEN */
  const withinGrant = ({ token, id }: UserActor, grant: Grant): VirtualPath => {
    if (token === undefined || token.path === ROOT) return grant.path
    const shown = grants.shownPath(grant, id)
    if (isInside(token.path, shown)) return grant.path
    if (!isInside(shown, token.path)) fail('FORBIDDEN', `this API token reaches only ${token.path}`)
    return below(grant.path, relativeTo(shown, token.path))
  }

  /** For the operator: without rules, and with all permissions. */
  const ofOperator = (user: EffectiveUser): Standing => {
    const lists = { global: [], group: [], user: [], 'built-in': [] }
    const rootRecord = roots.of(user)
    const permissions = effectivePermissions(ALL_PERMISSIONS, isReadOnly(rootRecord))
    const judge = createPathJudge({ lists, hideDotfiles: false }, compile)
    const shown = { ...user, hideDotfiles: false }
    return { user: shown, judge, permissions, most: permissions, within: ROOT, root: ROOT, rootRecord }
  }

  return { of, ofPlace, ofLink, ofReader, ofSender, ofGrant, ofOperator }
}

/** What rules can give an account at most: nothing that it is denied, and nothing that a token does not have. */
function mostOf({ denied }: EffectiveUser, token: ApiToken | undefined): Permissions {
  const most = token === undefined ? ALL_PERMISSIONS : narrowed(ALL_PERMISSIONS, token)
  return { ...most, ...Object.fromEntries(denied.map((permission) => [permission, false])) }
}

/** Where the owner may share: a rule may forbid it for a part of what is shared. */
function givenIfShared(given: Permissions) {
  return (owner: Permissions): Permissions => (mayDo(owner, 'shares.manage') ? common(given, owner) : NO_PERMISSIONS)
}

export function failMissingTarget(): never {
  return fail('NOT_FOUND', 'what was shared is not there any more')
}
