import type { PermissionRule, Rule } from '../../../../src/domain/access/rule.ts'

export const NEW_RULE: Rule = { allow: false, regex: false, path: '/', regexp: null }

/** The path or the regular expression of a rule. */
export function textOf({ regex, path, regexp }: Rule | PermissionRule): string {
  return regex ? (regexp?.raw ?? '') : path
}

/** The rule with another text or of the other kind. The typed text is kept. */
export function withText<R extends Rule | PermissionRule>(rule: R, text: string, regex = rule.regex): R {
  if (regex) return { ...rule, regex, path: '', regexp: { raw: text } }
  return { ...rule, regex, path: text, regexp: null }
}

/** The list with one rule moved to another index. */
export function moveRule<R>(rules: readonly R[], from: number, to: number): readonly R[] {
  const moved = rules[from]
  if (moved === undefined || to < 0 || to >= rules.length) return rules
  return rules.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/** A likely mistake in a rule. */
export function likelyMistake(rule: Rule): 'everything' | 'never' | undefined {
  const text = textOf(rule)
  if (text === '' || (!rule.regex && text === '/')) return 'everything'
  return !rule.regex && !text.startsWith('/') ? 'never' : undefined
}

/** The index of the rule that a server error names, such as 2 for "rules.2". */
export function ruleIndexOf(
  field: string | undefined,
  list: 'rules' | 'permissionRules' = 'rules',
): number | undefined {
  const [, name, index] = /^(\w+)\.(\d+)$/.exec(field ?? '') ?? []
  if (name !== list) return undefined
  return index === undefined ? undefined : Number(index)
}

export interface RowDrag {
  /** Upper edge and height of each row, in pixels. */
  readonly rows: readonly { readonly top: number; readonly height: number }[]
  readonly from: number
  /** Distance that the pointer has moved. */
  readonly offset: number
}

/** The new index of a dragged row: it goes behind every row whose middle its own middle has passed. */
export function dragTarget({ rows, from, offset }: RowDrag): number {
  const dragged = rows[from]
  if (dragged === undefined) return from
  const middle = dragged.top + dragged.height / 2 + offset
  return rows.filter(({ top, height }, index) => index !== from && top + height / 2 < middle).length
}

/** The id of a rule's field, by its index in the list. Focus it to show the rule. */
export function ruleFieldId(list: string, index: number): string {
  return `${list}-rule-${index}`
}
