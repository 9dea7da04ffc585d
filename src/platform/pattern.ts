import { RE2JS } from 're2js'
import type { PatternCompiler } from '../domain/rule-check.ts'

/** Linear in the length of the text, whatever the pattern: no rule can hold the server with backtracking. */
export const compilePattern: PatternCompiler = (pattern) => {
  const compiled = RE2JS.compile(pattern)
  return (text) => compiled.test(text)
}
