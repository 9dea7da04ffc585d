import type { ComponentProps } from 'react'
import { classNames } from '../../lib/class-names.ts'
import fieldStyles from '../text-field.module.css'
import styles from './fields.module.css'

interface TextInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string
  onChange: (text: string) => void
  /** Paths, addresses and patterns: in the face of code, from left to right in every language. */
  code?: boolean | undefined
  /** Stands behind the value, such as "characters". */
  unit?: string | undefined
}

/** A bare text; its name comes from a `SettingRow`, or give `aria-label`. */
export function TextInput({ value, onChange, code, unit, className, ...rest }: TextInputProps) {
  const codeProps = code ? { dir: 'ltr', spellCheck: false, autoCapitalize: 'none', autoComplete: 'off' } : {}
  return (
    <div className={styles['affix']}>
      <input
        {...codeProps}
        {...rest}
        className={classNames(fieldStyles['input'], code && styles['code'], unit && styles['has-unit'], className)}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {unit && <span className={styles['unit']}>{unit}</span>}
    </div>
  )
}
