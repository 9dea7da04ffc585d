import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { compileRules, type RuleCheck } from '../../../domain/access/rule-check.ts'
import type { Rule } from '../../../domain/access/rule.ts'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { compilePattern } from '../../../platform/validation/pattern.ts'
import type { LinkPolicy } from '../../storage.ts'
import { forgetDevice } from '../system/gated-calls.ts'
import { Handle, type Name } from '../system/handle.ts'
import { ProtectedPaths, type ProtectedPathsData, NOTHING_PROTECTED } from './protected-paths.ts'
import type { KeptOpen } from './kept-open.ts'
import { isOwnName, StagedNames } from './reserved-names.ts'

/** The handle of the scope's folder, its rules for links, and the paths that no user or not this one may reach. */
export interface ScopeRoot {
  readonly folder: Handle
  readonly links: LinkPolicy
  readonly protectedPaths: ProtectedPaths
  /** The check of the rules; undefined without rules. */
  readonly permits: RuleCheck | undefined
  /** How rules call the root, by where it really is. Undefined where they cannot name it: a link led out of their scope. */
  readonly realPrefix: VirtualPath | undefined
  /** How the root is called, where that may be told. */
  readonly rootName?: string
  readonly staged: StagedNames
  /** New files and folders belong to the owner of the folder around them: of a command of root, beside a daemon of another account. */
  readonly givesToOwner?: boolean | undefined
  /** Folders and files that requests have opened recently. Undefined for internal work. */
  readonly kept?: KeptOpen
}

const SLASH = 0x2f

/** For internal work: without rules, and with nothing protected unless given. */
export function bareScopeRoot(folder: Handle, links: LinkPolicy, protectedPaths = NOTHING_PROTECTED): ScopeRoot {
  return { folder, links, protectedPaths, permits: undefined, realPrefix: undefined, staged: new StagedNames() }
}

/**
 * Judges what was asked for by where it really is. The services have asked the rules about the path that was said; a link
 * must not be a way around what they deny there.
 *
 * @throws FORBIDDEN, NOT_FOUND as `inside`
 */
export function judge(scopeRoot: ScopeRoot, handle: Handle): void {
  const real = requireReachable(scopeRoot, handle)
  requirePermitted(scopeRoot, () => realPathOf(scopeRoot, real))
}

/** The same for a name in an open folder. @param found the entry of that name */
export function judgeEntry(scopeRoot: ScopeRoot, folder: Handle, name: Name, found: BigIntStats | undefined): void {
  if (scopeRoot.protectedPaths.hasName(folder, name, found)) refuseProtected()
  requirePermittedBelow(scopeRoot, folder, name.toString())
}

/** What rules say of a place. @param place one character per byte. @throws FORBIDDEN */
export function requirePermittedAt(scopeRoot: ScopeRoot, place: string): void {
  requirePermitted(scopeRoot, () => realPathOf(scopeRoot, Buffer.from(place, 'latin1')))
}

/**
 * What is protected stays where it is: to move or remove a folder around it would take the daemon's data away, and to merge
 * another one into that folder would replace them.
 *
 * @throws FORBIDDEN
 */
export async function requireNothingProtectedIn({ protectedPaths }: ScopeRoot, stats: BigIntStats): Promise<void> {
  if (stats.isDirectory() && (await protectedPaths.hasAnyIn(stats)))
    fail('FORBIDDEN', 'something in this folder belongs to the server itself')
}

/** The same for nested folders that will be created. */
export function judgeNewFolders(scopeRoot: ScopeRoot, folder: Handle, names: readonly [string, ...string[]]): void {
  if (scopeRoot.protectedPaths.hasName(folder, names[0], undefined)) refuseProtected()
  requirePermittedBelow(scopeRoot, folder, names.join('/'))
}

/**
 * Gives back a folder on the way when it may be passed, closes it and throws when not. Rules do not count on the way: what
 * lies in a denied folder may be allowed.
 *
 * @throws FORBIDDEN when it is outside or protected, NOT_FOUND when a link led into the storage's own files
 */
export function inside(scopeRoot: ScopeRoot, handle: Handle): Handle {
  try {
    requireReachable(scopeRoot, handle)
    return handle
  } catch (error) {
    handle[Symbol.dispose]()
    throw error
  }
}

/** How rules call what is really there; undefined where they have no name for it. */
export function realPathOf({ folder, realPrefix }: ScopeRoot, real: Buffer): VirtualPath | undefined {
  const home = folder.realPath
  if (realPrefix === undefined || !isBeneath(home, real)) return undefined
  const rest = real.subarray(home.length === 1 ? 0 : home.length).toString()
  return below(realPrefix, (rest === '' ? '/' : rest) as VirtualPath)
}

/** Where a path is when no link is on the way. One character per byte. */
export function placeBeneath({ folder }: ScopeRoot, segments: readonly string[]): string {
  const home = folder.realPath.toString('latin1')
  return `${home === '/' ? '' : home}/${Buffer.from(segments.join('/')).toString('latin1')}`
}

/** The paths of a held folder that rules are asked about: as it was asked for, and where it is if links led there. */
export function rulePathsOf(scopeRoot: ScopeRoot, folder: Handle, asked: VirtualPath): VirtualPath[] {
  if (scopeRoot.permits === undefined) return [asked]
  const real = realPathOf(scopeRoot, folder.realPath)
  return real === undefined || real === asked ? [asked] : [asked, real]
}

/** Compared as bytes and with the separator: "/data/root2" begins with "/data/root". */
export function isBeneath(home: Buffer, real: Buffer): boolean {
  if (home.length === 1) return true
  return real.subarray(0, home.length).equals(home) && (real.length === home.length || real[home.length] === SLASH)
}

/**
 * Looks at where a held entry really is, by the kernel's word. The open that led there may have been sent outside by a
 * folder that was swapped for a link, but holding does nothing, and no swap can move the descriptor we look at.
 */
function requireReachable({ folder, links, protectedPaths }: ScopeRoot, handle: Handle): Buffer {
  const home = folder.realPath
  const real = handle.realPath
  if (protectedPaths.holds(handle, real)) refuseProtected()
  if (!isBeneath(home, real)) {
    if (links === 'follow') {
      // The link may have led to another disk.
      forgetDevice(handle.fd)
      return real
    }
    fail('FORBIDDEN', 'the path leads outside of the folder')
  }
  const rest = real.subarray(home.length).toString('latin1')
  if (rest.split('/').some(isOwnName)) fail('NOT_FOUND', 'there is nothing at this path')
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

/** A scope root as it crosses threads. */
export interface LentScopeRoot {
  /** A descriptor of the main thread, valid until the job has ended. */
  readonly folder: number
  readonly links: LinkPolicy
  readonly protectedPaths: ProtectedPathsData
  readonly rules: readonly Rule[]
  readonly realPrefix: VirtualPath | undefined
}

export function lend({ folder, links, protectedPaths, realPrefix }: ScopeRoot, rules: readonly Rule[]): LentScopeRoot {
  return { folder: folder.fd, links, protectedPaths: protectedPaths.data, rules, realPrefix }
}

/** In the worker thread, which must not dispose of the root. */
export function borrow({ folder, links, protectedPaths, rules, realPrefix }: LentScopeRoot): ScopeRoot {
  const permits = rules.length === 0 ? undefined : compileRules(rules, compilePattern)
  return { ...bareScopeRoot(new Handle(folder), links, new ProtectedPaths(protectedPaths)), permits, realPrefix }
}
