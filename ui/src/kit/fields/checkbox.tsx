import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './checkbox.module.css'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange' | 'children'> {
  checked: boolean | 'mixed'
  onChange: (checked: boolean) => void
  /** Shown beside the box. Without it give `aria-label`. */
  label?: ReactNode
}

/** 16 px, with a hit area of 28 (20 and 44 on narrow screens). */
export function Checkbox({ checked, onChange, label, className, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = checked === 'mixed'
  }, [checked])
  const input = (
    <input
      {...rest}
      ref={box}
      type="checkbox"
      className={classNames(styles['checkbox'], label === undefined && className)}
      checked={checked === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
  if (label === undefined) return input
  return (
    <label className={classNames(styles['choice'], className)}>
      {input}
      <span>{label}</span>
    </label>
  )
}

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'checked' | 'onChange'> {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** An on/off switch. Put it in a `SettingRow`, or give it an `aria-label`. */
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
