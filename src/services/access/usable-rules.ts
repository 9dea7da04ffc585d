import { fail } from '../../domain/errors.ts'
import type { Rule } from '../../domain/access/rule.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'

/**
 * Refuses rules that could not be applied later: one that cannot be compiled would fail every request for a file.
 *
 * @throws INVALID_INPUT naming the expression, and as the field its place, such as "rules.2"
 */
export function requireUsableRules(rules: readonly Rule[], compile: PatternCompiler): void {
  for (const [place, { regex, regexp }] of rules.entries()) {
    if (!regex) continue
    const field = `rules.${place}`
    if (regexp === null) fail('INVALID_INPUT', 'a rule is marked as an expression but has none', { field })
    const problem = patternProblem(regexp.raw, compile)
    if (problem !== undefined) {
      fail('INVALID_INPUT', `the expression ${regexp.raw} of a rule cannot be used: ${problem}`, { field })
    }
  }
}

/** Why an expression cannot be used; undefined for one that can. */
export function patternProblem(pattern: string, compile: PatternCompiler): string | undefined {
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    // The engine reports every fault of an expression by throwing; there is nothing else in there to fail.
    return error instanceof Error ? error.message : String(error)
  }
}
