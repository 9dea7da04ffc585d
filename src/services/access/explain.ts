import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import {
  type Action,
  ACTIONS,
  type Explanation,
  type Obstacle,
  obstaclesTo,
  permissionRuleObstacle,
  ruleObstacle,
  type Supposed,
} from '../../domain/access/explanation.ts'
import type { SeenPlace } from '../../domain/accounts/place-list.ts'
import { FILES_ROOT, type Root } from '../../domain/server/root.ts'
import { giversOf } from '../../domain/accounts/effective-user.ts'
import type { UserId } from '../../domain/ids.ts'
import { missingFor, neededFor } from '../../domain/access/permissions.ts'
import type { PathPermission } from '../../domain/access/rule.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { parseVirtualPath, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { AccessService } from './access.ts'
import type { FileAccess } from './file-access.ts'
import { requireUser } from '../stored-users.ts'
import { deniedIn } from './file-checks.ts'
import { requireUsableRules } from './usable-rules.ts'

export interface ExplainDeps {
  readonly access: AccessService
  readonly store: Store<StoreDocument>
  readonly compile: PatternCompiler
}

export interface ExplainQuestion {
  readonly userId: UserId
  readonly action: Action
  /** A path in the user's scope. */
  readonly path: string
  /** Changes to try that are not saved. */
  readonly supposed?: Supposed | undefined
}

const NO_RULES = { rule: null, matching: [] }

/** How many entries beneath a folder are checked. */
const MAX_ENTRIES = 20_000

/** Explains whether a user may do something with a path, and which permission or rule decides. For administrators. */
export function createExplain({ access, store, compile }: ExplainDeps) {
  /** @throws FORBIDDEN; NOT_FOUND for an unknown user; INVALID_INPUT for an invalid path or rule */
  async function explain(
    actor: Actor,
    { userId, action, path: text, supposed = {} }: ExplainQuestion,
    signal?: AbortSignal,
  ): Promise<Explanation> {
    requireAdmin(actor, 'users.manage')
    const { username } = requireUser(store.snapshot(), userId)
    const asked = parseVirtualPath(text)
    const { globalRules = [], globalPermissionRules = [], rules = [], permissionRules = [], group } = supposed
    requireUsableRules([...globalRules, ...(group?.rules ?? []), ...rules], compile)
    const withPermissions = [...globalPermissionRules, ...(group?.permissionRules ?? []), ...permissionRules]
    requireUsableRules(withPermissions, compile, 'permissionRules')
    const needs = neededFor(ACTIONS[action].right)
    const opened = await openedFor(userId, asked, supposed)
    if ('obstacle' in opened) {
      const facts = { user: username, action, path: asked, needs: [...needs], by: [] }
      const obstacles = [{ ...opened.obstacle, path: asked }]
      return { ...facts, allowed: false, obstacles, ...NO_RULES, complete: true, exists: opened.exists }
    }
    using files = opened.files
    const { judge, user, path } = files
    const place = user.here === undefined ? {} : { place: placeOf(user.here, files.rootRecord) }
    const facts = { user: username, action, path: asked, needs: [...needs], ...place }
    const effective = files.permissionsAt(path)
    const readOnlyRoot = files.rootRecord?.readOnly === true ? files.rootRecord.name : undefined
    const known = obstaclesTo({ action, path, granted: user.perm, denied: user.denied, effective, judge, readOnlyRoot })
    const onDisk = known.length > 0 ? await lookAt(files, path) : await checkDisk(files, action, path, signal)
    const obstacles = [...known, ...onDisk.obstacles].map((each) => ({
      ...each,
      path: files.shown(each.path as VirtualPath),
    }))
    const { rule = null, matching } = judge.explain(path)
    const allowed = obstacles.length === 0
    const { complete, exists } = onDisk
    const decided = needs.flatMap((permission) => {
      const placed = judge.permissionRuleFor(path, permission as PathPermission)
      return placed === undefined ? [] : [{ permission, has: effective[permission], placed }]
    })
    const byAccount = needs.filter((permission) => !decided.some((each) => each.permission === permission))
    const by = byAccount.flatMap((permission) => giversOf(permission, user).map((group) => ({ permission, group })))
    const byRules = decided.length === 0 ? {} : { permissionRules: decided }
    return { ...facts, ...byRules, by, allowed, obstacles, rule, matching: [...matching], complete, exists }
  }

  /** A user whose folder cannot be opened may do nothing. */
  async function openedFor(
    userId: UserId,
    path: VirtualPath,
    supposed: Supposed,
  ): Promise<{ files: FileAccess } | { obstacle: Obstacle; exists: boolean }> {
    try {
      return { files: await access.ofUser(userId, path, supposed) }
    } catch (error) {
      if (!isFilemgrError(error, 'NOT_FOUND', 'FORBIDDEN')) throw error
      const exists = !isFilemgrError(error, 'NOT_FOUND')
      return { obstacle: { kind: 'scope', path: '/', message: `the folder of the scope: ${error.message}` }, exists }
    }
  }

  return explain
}

/** What an account has a place by: the root, and the groups that give it. */
function placeOf({ name, given }: SeenPlace, root: Root | undefined): NonNullable<Explanation['place']> {
  const groups = given.flatMap(({ group }) => group?.name ?? [])
  return { name, root: root?.name ?? FILES_ROOT, ...(groups.length > 0 && { groups }) }
}

interface DiskCheck {
  readonly obstacles: Obstacle[]
  readonly complete: boolean
  readonly exists: boolean
}

/** Whether anything is at a path where nothing else needs to be checked, also behind rules: only administrators ask. */
async function lookAt({ scope }: FileAccess, path: VirtualPath): Promise<DiskCheck> {
  const found = { obstacles: [], complete: true }
  try {
    return { ...found, exists: await scope.exists(path) }
  } catch (error) {
    if (isFilemgrError(error, 'FORBIDDEN')) return { ...found, exists: true }
    // INVALID_INPUT is for a path beneath a file.
    if (isFilemgrError(error, 'NOT_FOUND', 'INVALID_INPUT')) return { ...found, exists: false }
    throw error
  }
}

/** Finds obstacles on the disk: links that lead outside, and denied entries in a folder to delete or move as a whole. */
async function checkDisk(
  files: FileAccess,
  action: Action,
  path: VirtualPath,
  signal?: AbortSignal,
): Promise<DiskCheck> {
  const { reach } = ACTIONS[action]
  const seen = await lookAt(files, path)
  try {
    const isFolder = await isFolderAt(files, action, path)
    if (!isFolder || reach !== 'tree' || !files.hasRules) return seen
    // A copy needs nothing where its source is.
    const right = action === 'copy' ? 'files.list' : ACTIONS[action].right
    const { denied, complete } = await deniedIn(files, path, right, MAX_ENTRIES, signal)
    if (denied === undefined) return { ...seen, complete }
    const [missing] = files.permits(denied) ? missingFor(files.permissionsAt(denied), right) : []
    const placed = missing && files.judge.permissionRuleFor(denied, missing as PathPermission)
    return {
      ...seen,
      obstacles: [
        missing === undefined || placed === undefined
          ? ruleObstacle(denied, files.judge.explain(denied).rule)
          : permissionRuleObstacle(denied, missing, placed),
      ],
    }
  } catch (error) {
    // Also a link whose target is missing.
    if (isFilemgrError(error, 'NOT_FOUND')) return { ...seen, exists: false }
    if (!isFilemgrError(error, 'FORBIDDEN')) throw error
    return { ...seen, obstacles: [{ kind: 'disk', path, message: error.message }] }
  }
}

/** Renaming and deleting apply to a link itself, everything else to its target. */
async function isFolderAt(files: FileAccess, action: Action, path: VirtualPath): Promise<boolean> {
  if (action === 'rename' || action === 'delete') return (await files.scope.kindOf(path)) === 'folder'
  if (ACTIONS[action].reach === 'name') {
    // Called because it throws for a path through a link that leads outside. The result does not matter.
    await files.scope.exists(path)
    return false
  }
  return (await files.scope.stat(path, { ...files.view('/'), sniff: false })).isDir
}
