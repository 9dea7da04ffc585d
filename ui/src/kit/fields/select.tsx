import type { ComponentProps } from 'react'
import styles from './select.module.css'

interface SelectOption<Value extends string> {
  value: Value
  label: string
  /** The heading of its `optgroup`. */
  group?: string | undefined
  /** The language of the label, if it differs from that of the page. */
  lang?: string | undefined
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> {
  /** The accessible name, unless a `SettingRow` gives one. */
  label?: string | undefined
  options: readonly SelectOption<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A native select, for which phones show their own list. A value that is not among the options is shown unchanged. */
export function Select<Value extends string>({ label, options, value, onChange, ...rest }: SelectProps<Value>) {
  const isKnown = options.some((option) => option.value === value)
  const all: readonly SelectOption<Value>[] = isKnown ? options : [{ value, label: value }, ...options]
  const choose = (chosen: string): void => {
    const option = all.find((each) => each.value === chosen)
    if (option !== undefined) onChange(option.value)
  }
  const groups = [...new Set(all.map(({ group }) => group))]
  return (
    <select
      aria-label={label}
      {...rest}
      className={styles['select']}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {groups.map((group) => {
        const ofGroup = all.filter((option) => option.group === group).map(drawOption)
        return group === undefined ? (
          ofGroup
        ) : (
          <optgroup key={group} label={group}>
            {ofGroup}
          </optgroup>
        )
      })}
    </select>
  )
}

function drawOption({ value, label, lang }: SelectOption<string>) {
  return (
    <option key={value} value={value} lang={lang}>
      {label}
    </option>
  )
}
