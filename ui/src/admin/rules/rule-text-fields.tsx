import type { ReactNode } from 'react'
import type { PermissionRule, Rule } from '../../../../src/domain/access/rule.ts'
import { useText } from '../../i18n/use-text.tsx'
import { CODE_INPUT } from '../../kit/fields/inputs.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { textOf, withText } from './rule-list.ts'
import styles from './rules.module.css'

interface RuleTextFieldsProps<R> {
  readonly rule: R
  /** Counted from 1. */
  readonly number: number
  /** The id of the text field. */
  readonly fieldId: string
  readonly error: ReactNode
  readonly hint: ReactNode
  readonly onChange: (rule: R) => void
}

/** Which paths a rule is about: a path or an expression. */
export function RuleTextFields<R extends Rule | PermissionRule>({
  rule,
  number,
  fieldId,
  error,
  hint,
  onChange,
}: RuleTextFieldsProps<R>) {
  const t = useText()
  return (
    <>
      <Select
        label={t('rules.kindOf', { number })}
        options={[
          { value: 'path', label: t('shell.path') },
          { value: 'regex', label: t('rules.regex') },
        ]}
        value={rule.regex ? 'regex' : 'path'}
        onChange={(kind) => onChange(withText(rule, textOf(rule), kind === 'regex'))}
      />
      <TextField
        id={fieldId}
        className={styles['text']}
        label={<span className="visually-hidden">{t('rules.textOf', { number })}</span>}
        value={textOf(rule)}
        {...CODE_INPUT}
        maxLength={4096}
        error={error}
        hint={hint}
        onChange={(event) => onChange(withText(rule, event.currentTarget.value))}
        onKeyDown={(event) => {
          // Enter would save the form with a half-typed rule.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
    </>
  )
}
