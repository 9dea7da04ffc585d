import { composed as composedOf, foldKeepingDots, foldName, isAscii } from '../text/fold.ts'
import { isInside, type VirtualPath } from '../files/virtual-path.ts'
import type { PermissionRule, Rule } from './rule.ts'

/** Compiles a pattern with RE2 semantics (search, not anchored); throws on what RE2 cannot express. */
export type PatternCompiler = (pattern: string, ignoreCase?: boolean) => (text: string) => boolean

/** A path in all forms in which it is compared. */
export interface Spellings {
  readonly path: string
  readonly composed: string
  readonly folded: string
  readonly dotted: string
}

export type Matcher = (spelled: Spellings) => boolean

export function spellingsOf(path: string): Spellings {
  return { path, composed: composedOf(path), folded: foldName(path), dotted: foldKeepingDots(path) }
}

/** @param allow compares exactly; otherwise other spellings match, too */
export function matcher(
  { regex, regexp, path }: Rule | PermissionRule,
  allow: boolean,
  compile: PatternCompiler,
): Matcher {
  if (regex) return patternMatcher(composedOf(regexp?.raw ?? ''), allow, compile)
  const rulePath = allow ? composedOf(path) : foldName(path)
  const asCompared = (spelled: Spellings) => (allow ? spelled.composed : spelled.folded)
  if (rulePath === '' || rulePath === '/') return () => true
  // "/docs/" covers what is inside, not the folder itself.
  if (rulePath.endsWith('/')) return (spelled) => asCompared(spelled).startsWith(rulePath)
  return (spelled) => isInside(rulePath as VirtualPath, asCompared(spelled) as VirtualPath)
}

/** Tests all Unicode forms: otherwise a decomposed name would bypass a pattern. */
function patternMatcher(pattern: string, allow: boolean, compile: PatternCompiler): Matcher {
  const test = compile(pattern, !allow)
  return ({ path, composed, folded, dotted }) => {
    if (test(path)) return true
    if (isAscii(path)) return false
    const others = allow ? [composed] : [composed, folded, dotted]
    return [...new Set(others)].some((other) => other !== path && test(other))
  }
}
