import type { ComponentProps } from 'react'
import styles from '../select.module.css'

interface ChoiceInputProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** One of several; its name comes from a `SettingRow`. A value that is none of them is shown as it is. */
export function ChoiceInput<Value extends string>({ options, value, onChange, ...rest }: ChoiceInputProps<Value>) {
  const known = options.some((option) => option.value === value)
  const all = known ? options : [{ value, label: value }, ...options]
  const choose = (chosen: string): void => {
    const option = all.find((each) => each.value === chosen)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <select
      {...rest}
      className={styles['select']}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {all.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
