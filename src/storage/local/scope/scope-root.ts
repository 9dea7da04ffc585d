import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { compileRules, type PathRule, type RuleCheck } from '../../../domain/access/rule-check.ts'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { isBeneath } from '../../../platform/files/served-root.ts'
import { compilePattern } from '../../../platform/validation/pattern.ts'
import type { LinkPolicy, Scope, TransferMode } from '../../storage.ts'
import { Handle, latin1Of, type Name, textOf, textOfLatin1 } from '../system/handle.ts'
import { ProtectedPaths, type ProtectedPathsData, NOTHING_PROTECTED } from './protected-paths.ts'
import { Effects } from './effects.ts'
import type { KeptOpen } from './kept-open.ts'
import { isReservedName, StagedNames } from '../../reserved-names.ts'

/** The open folder of a scope, and what its operations may reach. Real paths have one character per byte. */
export interface ScopeRoot {
  readonly folder: Handle
  readonly links: LinkPolicy
  readonly protectedPaths: ProtectedPaths
  /** Undefined without rules. */
  readonly permits: RuleCheck | undefined
  /** Real path of the root as the rules see it. Undefined if a link led out of the scope that they cover. */
  readonly realPrefix: VirtualPath | undefined
  /** Name of the root, if the user may see it. */
  readonly rootName?: string
  readonly staged: StagedNames
  readonly effects: Effects
  /** Folders and files that requests have opened recently. Undefined for internal work. */
  readonly kept?: KeptOpen
  /** Only for the served folder itself: its real path when it was opened, under which `kept` has its entries. */
  readonly openedPath?: string | undefined
  /** Searches must not remember names. */
  readonly forgetsNames?: true
}

/** A scope of this driver, as another one sees it that transfers into it. */
export interface OfScopeRoot {
  readonly scopeRoot: ScopeRoot
}

/** Whether the target of a transfer is on a disk too. */
export function isOnDisk(into: Scope): boolean {
  return 'scopeRoot' in into
}

/** Where the target of a transfer is. */
export function targetRoot(own: ScopeRoot, { into }: Pick<TransferMode, 'into'>): ScopeRoot {
  return into === undefined ? own : (into as Scope & OfScopeRoot).scopeRoot
}

/** The source of a transfer, whose changes concern the target too. */
export function sourceRoot(own: ScopeRoot, mode: Pick<TransferMode, 'into'>): ScopeRoot {
  return mode.into === undefined ? own : { ...own, effects: own.effects.and(targetRoot(own, mode).effects) }
}

/** For internal work: without rules, and with nothing protected unless given. @param effects without it, nothing can be changed */
export function bareScopeRoot(
  folder: Handle,
  links: LinkPolicy,
  protectedPaths = NOTHING_PROTECTED,
  effects: Effects = new Effects(NO_LOCKS, new StagedNames(), refuseChange),
): ScopeRoot {
  return { folder, links, protectedPaths, permits: undefined, realPrefix: undefined, effects, staged: effects.staged }
}

const NO_LOCKS = { acquire: refuseChange, claim: refuseChange }

async function refuseChange(): Promise<never> {
  throw new TypeError('this is open for reading only')
}

/**
 * Checks the real path of an open entry. The services have checked only the requested path against the rules, and a link must not
 * bypass them.
 *
 * @throws FORBIDDEN, NOT_FOUND as `inside`
 */
export function requireAccess(scopeRoot: ScopeRoot, handle: Handle): void {
  const real = requireReachable(scopeRoot, handle)
  requirePermitted(scopeRoot, () => realPathOf(scopeRoot, real))
}

/** Like `requireAccess`, for a name in an open folder. @param found the entry with that name, if any */
export function requireEntryAccess(
  scopeRoot: ScopeRoot,
  folder: Handle,
  name: Name,
  found: BigIntStats | undefined,
): void {
  if (scopeRoot.protectedPaths.hasName(folder, name, found)) refuseProtected()
  requirePermittedBelow(scopeRoot, folder, textOf(name))
}

/** Checks the rules for a path without links. @throws FORBIDDEN */
export function requirePermittedAt(scopeRoot: ScopeRoot, path: VirtualPath): void {
  const { realPrefix } = scopeRoot
  requirePermitted(scopeRoot, () => realPrefix && below(realPrefix, path))
}

/**
 * A folder that contains protected paths cannot be moved, removed or merged into: that would take away or replace the
 * daemon's data.
 *
 * @throws FORBIDDEN
 */
export async function requireNothingProtectedIn({ protectedPaths }: ScopeRoot, stats: BigIntStats): Promise<void> {
  if (stats.isDirectory() && (await protectedPaths.hasAnyIn(stats)))
    fail('FORBIDDEN', 'something in this folder belongs to the server itself')
}

/** Like `requireAccess`, for nested folders that will be created. */
export function requireNewFoldersAccess(
  scopeRoot: ScopeRoot,
  folder: Handle,
  names: readonly [string, ...string[]],
): void {
  if (scopeRoot.protectedPaths.hasName(folder, names[0], undefined)) refuseProtected()
  requirePermittedBelow(scopeRoot, folder, names.join('/'))
}

/**
 * Returns the handle if it is inside the scope, and closes it otherwise. Ignores rules, because a rule may allow an entry of a
 * denied folder.
 *
 * @param realPath what the kernel has reported as its path just now
 * @throws FORBIDDEN if it is outside or protected, NOT_FOUND if a link led to a reserved name
 */
export function inside(scopeRoot: ScopeRoot, handle: Handle, realPath?: string): Handle {
  try {
    requireReachable(scopeRoot, handle, realPath)
    return handle
  } catch (error) {
    handle[Symbol.dispose]()
    throw error
  }
}

/** A real path as the rules see it; undefined if they do not cover it. */
export function realPathOf({ folder, realPrefix }: ScopeRoot, real: string): VirtualPath | undefined {
  const home = folder.realPath
  if (realPrefix === undefined || !isBeneath(home, real)) return undefined
  const rest = textOfLatin1(home === '/' ? real : real.slice(home.length))
  return below(realPrefix, (rest === '' ? '/' : rest) as VirtualPath)
}

/** The real path that a path has if it contains no link. */
export function expectedRealPath({ folder, openedPath }: ScopeRoot, segments: readonly string[]): string {
  const home = openedPath ?? folder.realPath
  return `${home === '/' ? '' : home}/${latin1Of(segments.join('/'))}`
}

/** The paths to check against rules: the requested one and, if links led elsewhere, the real one. */
export function rulePathsOf(scopeRoot: ScopeRoot, folder: Handle, asked: VirtualPath): VirtualPath[] {
  if (scopeRoot.permits === undefined) return [asked]
  const real = realPathOf(scopeRoot, folder.realPath)
  return real === undefined || real === asked ? [asked] : [asked, real]
}

/**
 * Checks the path that the kernel reports for an open entry. An attacker may have swapped a folder for a link while it was
 * opened, but an O_PATH descriptor alone gives no access, and no later swap changes what it refers to.
 */
function requireReachable(
  { folder, links, protectedPaths }: ScopeRoot,
  handle: Handle,
  real = handle.realPath,
): string {
  const home = folder.realPath
  if (protectedPaths.holds(handle, real)) refuseProtected()
  if (!isBeneath(home, real)) {
    if (links === 'follow') return real
    fail('FORBIDDEN', 'the path leads outside of the folder')
  }
  if (real.slice(home.length).split('/').some(isReservedName)) fail('NOT_FOUND', 'there is nothing at this path')
  return real
}

function requirePermitted({ permits }: ScopeRoot, pathOf: () => VirtualPath | undefined): void {
  const path = permits && pathOf()
  if (path !== undefined && permits?.(path) === false) fail('FORBIDDEN', 'a rule denies this path')
}

function requirePermittedBelow(scopeRoot: ScopeRoot, folder: Handle, rest: string): void {
  requirePermitted(scopeRoot, () => {
    const around = realPathOf(scopeRoot, folder.realPath)
    return around && below(around, `/${rest}` as VirtualPath)
  })
}

function refuseProtected(): never {
  return fail('FORBIDDEN', 'this belongs to the server itself')
}

/** A scope root as plain data for worker threads. */
export interface LentScopeRoot {
  /** Descriptor of the main thread, open until the job ends. */
  readonly folder: number
  readonly links: LinkPolicy
  readonly protectedPaths: ProtectedPathsData
  readonly rules: readonly PathRule[]
  readonly realPrefix: VirtualPath | undefined
}

export function lend(
  { folder, links, protectedPaths, realPrefix }: ScopeRoot,
  rules: readonly PathRule[],
): LentScopeRoot {
  return { folder: folder.fd, links, protectedPaths: protectedPaths.data, rules, realPrefix }
}

/** Restores a scope root in a worker thread, which must not dispose it: the main thread closes the descriptor. */
export function borrow({ folder, links, protectedPaths, rules, realPrefix }: LentScopeRoot): ScopeRoot {
  const permits = rules.length === 0 ? undefined : compileRules(rules, compilePattern)
  return { ...bareScopeRoot(new Handle(folder), links, new ProtectedPaths(protectedPaths)), permits, realPrefix }
}
