import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { PermissionRule } from '../../../../src/domain/access/rule.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { classNames } from '../../lib/class-names.ts'
import { PermissionChips } from './permission-chips.tsx'
import { moveRule, ruleFieldId, textOf } from './rule-list.ts'
import { RuleTextFields } from './rule-text-fields.tsx'
import styles from './rules.module.css'

/** A folder in which one may look and download, the commonest wish. */
const NEW_RULE: PermissionRule = { regex: false, path: '/', regexp: null, permissions: ['download'] }

interface PermissionRulesProps {
  /** Prefix for the ids of its fields; see `ruleFieldId`. */
  readonly id: string
  readonly rules: readonly PermissionRule[]
  /** How many other rules come before them, which are counted with them. */
  readonly before: number
  readonly onChange: (rules: readonly PermissionRule[]) => void
  /** Server errors about single rules, by index. */
  readonly errors: ReadonlyMap<number, ReactNode>
}

/** Paths, each with all that may be done beneath it. */
export function PermissionRules({ id, rules, before, onChange, errors }: PermissionRulesProps) {
  const t = useText()
  const announce = useAnnounce()
  const list = useRef<HTMLOListElement>(null)
  const adding = useRef<HTMLButtonElement>(null)
  const focusNext = useRef<'last' | 'button'>(undefined)
  useLayoutEffect(() => {
    const target = focusNext.current
    focusNext.current = undefined
    if (target === 'last') list.current?.lastElementChild?.querySelector('input')?.focus()
    if (target === 'button') adding.current?.focus()
  }, [rules])
  const move = (from: number, to: number): void => {
    announce(t('rules.moved', { from: before + from + 1, to: before + to + 1, count: before + rules.length }))
    onChange(moveRule(rules, from, to))
  }
  return (
    <>
      {rules.length > 0 && (
        <ol ref={list} className={styles['rules']} aria-label={t('fields.permissionRules')}>
          {rules.map((rule, index) => (
            <PermissionRow
              key={index}
              rule={rule}
              number={before + index + 1}
              fieldId={ruleFieldId(id, before + index)}
              error={errors.get(index)}
              onChange={(next) => onChange(rules.with(index, next))}
              onUp={index === 0 ? undefined : () => move(index, index - 1)}
              onDown={index === rules.length - 1 ? undefined : () => move(index, index + 1)}
              onRemove={() => {
                focusNext.current = 'button'
                announce(t('rules.removed', { number: before + index + 1 }))
                onChange(rules.toSpliced(index, 1))
              }}
            />
          ))}
        </ol>
      )}
      <div className={styles['foot']}>
        <Button
          ref={adding}
          size="small"
          icon="plus"
          onClick={() => {
            focusNext.current = 'last'
            onChange([...rules, NEW_RULE])
          }}
        >
          {t('rules.addPermissions')}
        </Button>
      </div>
    </>
  )
}

interface PermissionRowProps {
  readonly rule: PermissionRule
  readonly number: number
  readonly fieldId: string
  readonly error: ReactNode
  readonly onChange: (rule: PermissionRule) => void
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
  readonly onRemove: () => void
}

function PermissionRow({ rule, number, fieldId, error, onChange, onUp, onDown, onRemove }: PermissionRowProps) {
  const t = useText()
  return (
    <li className={styles['item']}>
      <div
        className={classNames(styles['rule'], styles['permitting'])}
        role="group"
        aria-label={t('rules.rule', { number })}
      >
        <RuleTextFields
          rule={rule}
          number={number}
          fieldId={fieldId}
          error={error}
          hint={!rule.regex && !textOf(rule).startsWith('/') && t('rules.matchesNone')}
          onChange={onChange}
        />
        <div className={styles['buttons']}>
          <MenuButton
            label={t('rules.moreFor', { number })}
            size="small"
            entries={() => [
              { label: t('rules.up'), icon: 'arrow-up', disabled: onUp === undefined, run: () => onUp?.() },
              { label: t('rules.down'), icon: 'arrow-down', disabled: onDown === undefined, run: () => onDown?.() },
            ]}
          />
          <IconButton icon="trash" size="small" label={t('rules.remove', { number })} onClick={onRemove} />
        </div>
        <PermissionChips
          label={t('rules.permissionsOf', { number })}
          chosen={rule.permissions}
          onChange={(permissions) => onChange({ ...rule, permissions })}
        />
      </div>
    </li>
  )
}
