import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'
import styles from './switch.module.css'

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'checked' | 'onChange'> {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** On or off, with effect at once or at the next save. Its name comes from a `SettingRow`, or give `aria-label`. */
export function Switch({ checked, onChange, className, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      className={classNames(styles['switch'], className)}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
