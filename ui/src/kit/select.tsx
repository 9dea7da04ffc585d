import styles from './select.module.css'

interface SelectProps<Value extends string> {
  /** The accessible name. */
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  disabled?: boolean | undefined
}

/** One of a few choices, drawn by the browser: on a phone it is the phone's own list. */
export function Select<Value extends string>({ label, options, value, onChange, disabled }: SelectProps<Value>) {
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <select
      className={styles['select']}
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
