import type { ComponentProps } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './toggles.module.css'
import { Icon, type IconName } from '../icon/icon.tsx'

interface ChipProps extends ComponentProps<'button'> {
  icon?: IconName | undefined
  /** Whether it is on. Leave it out if the chip opens a menu. */
  pressed?: boolean | undefined
  /** Drawn as pressed without being a toggle. */
  highlighted?: boolean | undefined
}

/** A small choice among others in a row. */
export function Chip({ icon, pressed, highlighted, className, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles['chip'], className)}
      aria-pressed={pressed}
      data-on={highlighted === true ? '' : undefined}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

interface SegmentedOption<Value extends string> {
  value: Value
  label: string
  /** With an icon the label becomes the accessible name and the tooltip. */
  icon?: IconName | undefined
}

interface SegmentedProps<Value extends string> {
  /** Names the group. */
  label: string
  options: readonly SegmentedOption<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** Two or three choices side by side, one of them selected. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  return (
    <div className={styles['segmented']} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          aria-label={option.icon && option.label}
          data-tooltip={option.icon && option.label}
          onClick={() => onChange(option.value)}
        >
          {option.icon ? <Icon name={option.icon} size={16} /> : option.label}
        </button>
      ))}
    </div>
  )
}
