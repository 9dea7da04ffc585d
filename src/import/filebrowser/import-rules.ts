import { fail } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import { MAX_PATTERN_LENGTH, type Rule } from '../../domain/access/rule.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { patternProblem } from '../../services/access/usable-rules.ts'
import type { ReportWriter } from './import-report.ts'
import { booleanOf, listOf, textOf, type OldRecord } from './old-record.ts'

export interface RulesImport {
  /** The record with the list `rules`. */
  readonly record: OldRecord
  /** Whom the rules apply to: "all users", "user bob". */
  readonly appliesTo: string
  readonly compile: PatternCompiler
  readonly report: ReportWriter
}

/**
 * Rules in their order. With an invalid regular expression, File Browser refused each request for a file; here the rule
 * denies everything, so that nothing it was meant to protect is exposed.
 *
 * @throws INVALID_INPUT if `rules` is not a list of rules
 */
export function importRules({ record, appliesTo, compile, report }: RulesImport): Rule[] {
  return listOf(record, 'rules').map((value, index) => {
    const old = isRecord(value) ? value : fail('INVALID_INPUT', 'rules must be a list of rules', { field: 'rules' })
    const subject = `rule ${index + 1} for ${appliesTo}`
    const allow = booleanOf(old, 'allow')
    return booleanOf(old, 'regex')
      ? expressionRule(old, allow, subject, compile, report)
      : pathRule(textOf(old, 'path'), allow, subject, report)
  })
}

function pathRule(path: string, allow: boolean, subject: string, report: ReportWriter): Rule {
  if (path !== '' && !path.startsWith('/')) {
    report.add('lookAt', subject, `"${path}" still never applies, because paths begin with a slash`)
  }
  return { regex: false, allow, path, regexp: null }
}

function expressionRule(
  old: OldRecord,
  allow: boolean,
  subject: string,
  compile: PatternCompiler,
  report: ReportWriter,
): Rule {
  const { regexp } = old
  const raw = isRecord(regexp) ? textOf(regexp, 'raw') : undefined
  const problem = raw === undefined ? 'it is missing' : problemOf(raw, compile)
  if (raw !== undefined && problem === undefined) return { regex: true, allow, path: '', regexp: { raw } }
  const before = 'in File Browser it made every request for a file fail'
  report.add('changed', subject, `now denies everything: its expression is invalid (${problem ?? ''}), and ${before}`)
  report.add('lookAt', subject, 'its users see no files until you replace or remove this rule')
  return { regex: false, allow: false, path: '/', regexp: null }
}

function problemOf(pattern: string, compile: PatternCompiler): string | undefined {
  return pattern.length > MAX_PATTERN_LENGTH ? 'it is too long' : patternProblem(pattern, compile)
}
