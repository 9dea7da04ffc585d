import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'
import styles from './segmented.module.css'

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

/** Two or three choices side by side, one of them on. */
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
