import { compileRules } from '../../domain/rule-check.ts'
import type { Rule } from '../../domain/rule.ts'
import type { VirtualPath } from '../../domain/virtual-path.ts'
import { compilePattern } from '../../platform/pattern.ts'
import type { LinkPolicy } from '../storage.ts'
import { Closed, type ClosedFacts } from './closed.ts'
import { bareScopeRoot, type ScopeRoot } from './scope-root.ts'
import { Handle } from './handle.ts'

/** A scope root as it crosses threads. */
export interface LentScopeRoot {
  /** Descriptor of the main thread, lent until the job has answered. */
  readonly folder: number
  readonly links: LinkPolicy
  readonly closed: ClosedFacts
  readonly rules: readonly Rule[]
  readonly realPrefix: VirtualPath | undefined
}

export function lend({ folder, links, closed, realPrefix }: ScopeRoot, rules: readonly Rule[]): LentScopeRoot {
  return { folder: folder.fd, links, closed: closed.facts, rules, realPrefix }
}

/** In the other thread. Its root is never disposed of. */
export function borrow({ folder, links, closed, rules, realPrefix }: LentScopeRoot): ScopeRoot {
  const permits = rules.length === 0 ? undefined : compileRules(rules, compilePattern)
  return { ...bareScopeRoot(new Handle(folder), links, new Closed(closed)), permits, realPrefix }
}
