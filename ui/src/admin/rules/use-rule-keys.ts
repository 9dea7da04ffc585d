import { useRef } from 'react'
import type { Rule } from '../../../../src/domain/rule.ts'

interface RuleKeys {
  keyOf(rule: Rule): number
  /** The next state of a rule stays in the same row. */
  keep(rule: Rule, next: Rule): Rule
}

/** Rules have no names and two may be alike: each row keeps a number while it is moved and typed into. */
export function useRuleKeys(): RuleKeys {
  const keys = useRef(new WeakMap<Rule, number>())
  const last = useRef(0)
  const keyOf = (rule: Rule): number => {
    const known = keys.current.get(rule)
    if (known !== undefined) return known
    last.current += 1
    keys.current.set(rule, last.current)
    return last.current
  }
  return {
    keyOf,
    keep(rule, next) {
      keys.current.set(next, keyOf(rule))
      return next
    },
  }
}
