import type { Rule } from '../../domain/access/rule.ts'
import {
  cleanVirtualPath,
  isInside,
  relativeTo,
  ROOT,
  segmentsOf,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import { type QuantumSource, foldersAbove } from './quantum-config.ts'
import type { AccessRule, Names, QuantumDatabase } from './quantum-database.ts'

/** A folder that a user sees, in a source. */
export interface SeenFolder {
  readonly source: QuantumSource
  /** Its path in the source. */
  readonly folder: VirtualPath
}

export interface RulesOfUser {
  readonly username: string
  readonly seen: SeenFolder
  readonly database: Pick<QuantumDatabase, 'rules' | 'groups'>
}

/** Allows or denies a path in the folder, and everything beneath it. The last one that applies wins. */
interface Verdict {
  readonly path: VirtualPath
  readonly allow: boolean
}

/**
 * Quantum's access rules as rules of one user in one folder, with paths in it. In Quantum, a rule that names the user or one of their
 * groups wins over those for everyone, and otherwise the one for the deepest folder; here, the last match wins.
 */
export function rulesOfUser(user: RulesOfUser): Rule[] {
  const verdicts = verdictsOn(user)
  if (verdicts.every(({ allow }) => allow)) return []
  return [...verdicts.map(({ path, allow }) => ({ ...EMPTY, allow, path })), ...rulesForParents(verdicts)]
}

const EMPTY: Rule = { regex: false, allow: false, path: '', regexp: null }

function verdictsOn({ username, seen: { source, folder }, database }: RulesOfUser): Verdict[] {
  const rules = database.rules
    .filter((rule) => rule.source === source.path || rule.source === source.name)
    .map((rule) => ({ rule, path: cleanVirtualPath(rule.path) }))
    .filter(({ path }) => isInside(folder, path) || isInside(path, folder))
    .toSorted((a, b) => segmentsOf(a.path).length - segmentsOf(b.path).length)
  // A rule for a folder above applies to everything that the user sees.
  const seenAt = (path: VirtualPath) => relativeTo(folder, isInside(folder, path) ? path : folder)
  const forAll = rules.filter(({ rule }) => rule.denyAll).map(({ path }) => ({ path: seenAt(path), allow: false }))
  const forUser = rules.flatMap(({ rule, path }) => {
    const allow = allows(rule, username, database.groups)
    return allow === undefined ? [] : [{ path: seenAt(path), allow }]
  })
  return [...(source.denyByDefault ? [{ path: ROOT, allow: false }] : []), ...forAll, ...forUser]
}

/** Undefined if the rule names neither the user nor one of their groups. */
function allows({ deny, allow }: AccessRule, username: string, groups: QuantumDatabase['groups']): boolean | undefined {
  const includes = (names: Names) =>
    names.users.has(username) || [...names.groups].some((group) => groups.get(group)?.has(username) === true)
  if (includes(deny)) return false
  return includes(allow) ? true : undefined
}

/** Shows the parents of allowed folders, without their other content. */
function rulesForParents(verdicts: readonly Verdict[]): Rule[] {
  const isAllowed = (path: VirtualPath) => verdicts.findLast((verdict) => isInside(verdict.path, path))?.allow !== false
  const parents = verdicts
    .filter(({ path, allow }) => allow && isAllowed(path))
    .flatMap(({ path }) => foldersAbove(path))
  return [...new Set(parents)]
    .filter((parent) => !isAllowed(parent))
    .map((parent) => ({ ...EMPTY, allow: true, regex: true, regexp: { raw: `^${escapePattern(parent)}$` } }))
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
