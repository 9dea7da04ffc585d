import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import type { Rule } from '../../../../src/domain/access/rule.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { classNames } from '../../lib/class-names.ts'
import { likelyMistake } from './rule-list.ts'
import { RuleTextFields } from './rule-text-fields.tsx'
import styles from './rules.module.css'

interface RuleRowProps {
  readonly rule: Rule
  /** Counted from 0. */
  readonly index: number
  readonly count: number
  /** The id of its input, which links to this rule point to. */
  readonly fieldId: string
  readonly error: ReactNode
  /** Whether this rule decided the access check on the page. */
  readonly decides: boolean
  /** Offset in pixels while this row is dragged or makes room. */
  readonly offset: number
  readonly dragged: boolean
  readonly onGrab: (event: PointerEvent) => void
  readonly onChange: (rule: Rule) => void
  /** The new index in the list. */
  readonly onMove: (to: number) => void
  readonly onInsert: (at: number) => void
  readonly onRemove: () => void
}

const WARNING_TEXTS: Readonly<Record<'everything' | 'never', MessageId>> = {
  everything: 'rules.matchesAll',
  never: 'rules.matchesNone',
}

export function RuleRow(props: RuleRowProps) {
  const { rule, index, count, fieldId, error, decides, offset, dragged } = props
  const { onGrab, onChange, onMove, onInsert, onRemove } = props
  const t = useText()
  const number = index + 1
  const mistake = likelyMistake(rule)
  /** Alt and an arrow key anywhere in the row; on the handle, the arrow key alone. */
  const moveByKeys = (event: KeyboardEvent, onHandle: boolean): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || (!event.altKey && !onHandle)) return
    event.preventDefault()
    event.stopPropagation()
    onMove(Math.min(Math.max(index + step, 0), count - 1))
  }
  return (
    <li
      className={classNames(styles['item'], dragged && styles['dragged'])}
      style={offset === 0 ? undefined : { translate: `0 ${offset}px` }}
    >
      <div
        className={classNames(styles['rule'], decides && styles[rule.allow ? 'allows' : 'denies'])}
        role="group"
        aria-label={t('rules.rule', { number })}
        onKeyDown={(event) => moveByKeys(event, false)}
      >
        <button
          type="button"
          className={classNames('touch', styles['handle'])}
          data-handle=""
          aria-label={t('rules.move', { number })}
          data-tooltip={t('rules.moveHint')}
          onPointerDown={onGrab}
          onKeyDown={(event) => moveByKeys(event, true)}
        >
          <Icon name="drag" size={16} />
        </button>
        <Select
          label={t('rules.effectOf', { number })}
          options={[
            { value: 'deny', label: t('rules.deny') },
            { value: 'allow', label: t('rules.allow') },
          ]}
          value={rule.allow ? 'allow' : 'deny'}
          onChange={(effect) => onChange({ ...rule, allow: effect === 'allow' })}
        />
        <RuleTextFields
          rule={rule}
          number={number}
          fieldId={fieldId}
          error={error}
          hint={mistake && t(WARNING_TEXTS[mistake])}
          onChange={onChange}
        />
        <div className={styles['buttons']}>
          <MenuButton
            label={t('rules.moreFor', { number })}
            size="small"
            entries={() => [
              { label: t('rules.insertAbove'), icon: 'plus', run: () => onInsert(index) },
              { label: t('rules.insertBelow'), icon: 'plus', run: () => onInsert(index + 1) },
              { kind: 'separator' },
              { label: t('rules.up'), icon: 'arrow-up', disabled: index === 0, run: () => onMove(index - 1) },
              { label: t('rules.down'), icon: 'arrow-down', disabled: number === count, run: () => onMove(index + 1) },
            ]}
          />
          <IconButton icon="trash" size="small" label={t('rules.remove', { number })} onClick={onRemove} />
        </div>
      </div>
    </li>
  )
}
