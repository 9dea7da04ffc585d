import { fail } from '../../domain/errors.ts'
import type { PermissionRule, Rule } from '../../domain/access/rule.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'

/**
 * Refuses invalid rules: one that cannot be compiled would make every request for a file fail.
 *
 * @param name of the list
 * @throws INVALID_INPUT naming the expression, and the position as the field, such as "rules.2"
 */
export function requireUsableRules(
  rules: readonly (Rule | PermissionRule)[],
  compile: PatternCompiler,
  name = 'rules',
): void {
  for (const [position, { regex, regexp }] of rules.entries()) {
    if (!regex) continue
    const field = `${name}.${position}`
    if (regexp === null) fail('INVALID_INPUT', 'a rule is marked as an expression but has none', { field })
    const problem = patternProblem(regexp.raw, compile)
    if (problem !== undefined) {
      fail('INVALID_INPUT', `the expression ${regexp.raw} of a rule cannot be used: ${problem}`, { field })
    }
  }
}

/** What is wrong with an expression; undefined if it is valid. */
export function patternProblem(pattern: string, compile: PatternCompiler): string | undefined {
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    // RE2 reports invalid expressions by throwing.
    return error instanceof Error ? error.message : String(error)
  }
}
