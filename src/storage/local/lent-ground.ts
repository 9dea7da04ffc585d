import { compileRules } from '../../domain/rule-check.ts'
import type { Rule } from '../../domain/rule.ts'
import type { VirtualPath } from '../../domain/virtual-path.ts'
import { compilePattern } from '../../platform/pattern.ts'
import type { LinkPolicy } from '../storage.ts'
import { Closed, type ClosedFacts } from './closed.ts'
import { bareGround, type Ground } from './ground.ts'
import { Pin } from './pin.ts'

/** A ground as it crosses threads. */
export interface LentGround {
  /** Descriptor of the main thread, lent until the job has answered. */
  readonly root: number
  readonly links: LinkPolicy
  readonly closed: ClosedFacts
  readonly rules: readonly Rule[]
  readonly realPrefix: VirtualPath | undefined
}

export function lend({ root, links, closed, realPrefix }: Ground, rules: readonly Rule[]): LentGround {
  return { root: root.fd, links, closed: closed.facts, rules, realPrefix }
}

/** In the other thread. Its root is never disposed of. */
export function borrow({ root, links, closed, rules, realPrefix }: LentGround): Ground {
  const permits = rules.length === 0 ? undefined : compileRules(rules, compilePattern)
  return { ...bareGround(new Pin(root), links, new Closed(closed)), permits, realPrefix }
}
