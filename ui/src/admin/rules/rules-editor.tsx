import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Rule } from '../../../../src/domain/access/rule.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Button } from '../../kit/button/button.tsx'
import { ruleFieldId, moveRule, NEW_RULE } from './rule-list.ts'
import { RuleRow } from './rule-row.tsx'
import styles from './rules.module.css'
import { useRuleDrag } from './use-rule-drag.ts'

interface RulesEditorProps {
  /** The accessible name of the list. */
  readonly label: string
  /** Prefix for the ids of its fields; see `ruleFieldId`. */
  readonly id: string
  readonly rules: readonly Rule[]
  readonly onChange: (rules: readonly Rule[]) => void
  /** Server errors about single rules, by index. */
  readonly errors?: ReadonlyMap<number, ReactNode> | undefined
  /** True if the most exact path decides, whatever the order. */
  readonly isSorted?: boolean | undefined
  /** Index of the rule that decided the access check on the page. */
  readonly deciding?: number | undefined
}

/** An ordered list of rules: drag or move them with keys, add one anywhere. */
export function RulesEditor({ label, id, rules, onChange, errors, isSorted = false, deciding }: RulesEditorProps) {
  const t = useText()
  const announce = useAnnounce()
  const list = useRef<HTMLOListElement>(null)
  const adding = useRef<HTMLButtonElement>(null)
  const { keyOf, keep } = useRuleKeys()
  const focusNext = useRef<{ index: number; part: '[data-handle]' | 'input'; before: readonly Rule[] }>(undefined)
  useLayoutEffect(() => {
    const target = focusNext.current
    // Rows in the old order may render once more.
    if (target === undefined || target.before === rules) return
    focusNext.current = undefined
    const next = list.current?.children[target.index]?.querySelector<HTMLElement>(target.part) ?? adding.current
    next?.focus()
  })
  const move = (from: number, to: number): void => {
    if (from === to) return
    focusNext.current = { index: to, part: '[data-handle]', before: rules }
    announce(t('rules.moved', { from: from + 1, to: to + 1, count: rules.length }))
    onChange(moveRule(rules, from, to))
  }
  const drag = useRuleDrag(list, move)
  const insert = (at: number): void => {
    focusNext.current = { index: at, part: 'input', before: rules }
    onChange(rules.toSpliced(at, 0, { ...NEW_RULE }))
  }
  const remove = (index: number): void => {
    focusNext.current = { index: Math.min(index, rules.length - 2), part: '[data-handle]', before: rules }
    announce(t('rules.removed', { number: index + 1 }))
    onChange(rules.toSpliced(index, 1))
  }
  return (
    <>
      {rules.length > 0 && (
        <ol ref={list} className={styles['rules']} aria-label={label}>
          {rules.map((rule, index) => (
            <RuleRow
              key={keyOf(rule)}
              rule={rule}
              index={index}
              count={rules.length}
              fieldId={ruleFieldId(id, index)}
              error={errors?.get(index)}
              decides={index === deciding}
              offset={drag.offsetOf(index)}
              dragged={index === drag.dragged}
              onGrab={(event) => drag.begin(event, index)}
              onChange={(next) => onChange(rules.with(index, keep(rule, next)))}
              onMove={(to) => move(index, to)}
              onInsert={insert}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      <div className={styles['foot']}>
        <Button ref={adding} size="small" icon="plus" onClick={() => insert(rules.length)}>
          {t('rules.add')}
        </Button>
        {!isSorted && (
          <span className={styles['hint']}>{t(rules.length === 0 ? 'rules.none' : 'rules.orderHint')}</span>
        )}
      </div>
    </>
  )
}

/** Rules have no ids and two may be equal, so each row gets a number that it keeps while it moves and changes. */
function useRuleKeys() {
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
    /** Keeps the row of a rule when its value changes. */
    keep(rule: Rule, next: Rule) {
      keys.current.set(next, keyOf(rule))
      return next
    },
  }
}
