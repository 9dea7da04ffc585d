import { createRequire } from 'node:module'
import type * as Re2 from 're2js'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'

const require = createRequire(import.meta.url)

/** Matches in linear time for any pattern (RE2): the attack is a rule whose backtracking blocks the server. */
export const compilePattern: PatternCompiler = (pattern, ignoreCase = false) => {
  // Loaded with the first pattern, because its tables take as long to load as the rest of a command.
  const { RE2JS } = require('re2js') as typeof Re2
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  return (text) => compiled.test(text)
}
