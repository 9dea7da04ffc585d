import { fail } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import { LONGEST_PATTERN, type Rule } from '../../domain/access/rule.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { patternProblem } from '../access/usable-rules.ts'
import type { ReportWriter } from './import-report.ts'
import { booleanOf, listOf, textOf, type OldRecord } from './old-record.ts'

export interface RulesImport {
  /** Holds the list under `rules`. */
  readonly record: OldRecord
  /** Whose rules: "all users", "user bob". */
  readonly whose: string
  readonly compile: PatternCompiler
  readonly report: ReportWriter
}

/**
 * Rules in their order. One whose expression cannot be used made File Browser refuse each request for a file; here it
 * denies everything, so that nothing it may have protected comes to light.
 *
 * @throws INVALID_INPUT for what is no list of rules
 */
export function importRules({ record, whose, compile, report }: RulesImport): Rule[] {
  return listOf(record, 'rules').map((value, index) => {
    const old = isRecord(value) ? value : fail('INVALID_INPUT', 'rules must be a list of rules', { field: 'rules' })
    const subject = `rule ${index + 1} for ${whose}`
    const allow = booleanOf(old, 'allow')
    return booleanOf(old, 'regex')
      ? expressionRule(old, allow, subject, compile, report)
      : pathRule(textOf(old, 'path'), allow, subject, report)
  })
}

function pathRule(path: string, allow: boolean, subject: string, report: ReportWriter): Rule {
  if (path !== '' && !path.startsWith('/')) {
    report.add('lookAt', subject, `"${path}" never applies, as before: paths begin with a slash`)
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
  const before = 'before, every request for a file failed by it'
  report.add('changed', subject, `its expression cannot be used (${problem ?? ''}); it denies everything: ${before}`)
  report.add('lookAt', subject, 'the users it applies to see no files until you replace or remove it')
  return { regex: false, allow: false, path: '/', regexp: null }
}

function problemOf(pattern: string, compile: PatternCompiler): string | undefined {
  return pattern.length > LONGEST_PATTERN ? 'it is too long' : patternProblem(pattern, compile)
}
