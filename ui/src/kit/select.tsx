import type { ComponentProps } from 'react'
import styles from './select.module.css'

interface SelectOption<Value extends string> {
  value: Value
  label: string
  /** Heads the options that follow each other with the same one. */
  group?: string | undefined
  /** The language of the label, when it is not that of the page. */
  lang?: string | undefined
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> {
  /** The accessible name, unless a `SettingRow` gives one. */
  label?: string | undefined
  options: readonly SelectOption<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** One of a few choices, drawn by the browser: on a phone it is the phone's own list. */
export function Select<Value extends string>({ label, options, value, onChange, ...rest }: SelectProps<Value>) {
  const choose = (chosen: string): void => {
    const option = options.find((each) => each.value === chosen)
    if (option !== undefined) onChange(option.value)
  }
  const groups = [...new Set(options.map(({ group }) => group))]
  return (
    <select
      aria-label={label}
      {...rest}
      className={styles['select']}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {groups.map((group) => {
        const ofGroup = options.filter((option) => option.group === group).map(drawOption)
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
