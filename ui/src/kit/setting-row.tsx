import { type ReactNode, useId } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Icon } from './icon.tsx'
import styles from './setting-row.module.css'

/** What ties a control to the words beside it. */
export interface SettingControl {
  id: string
  'aria-labelledby': string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface SettingRowProps {
  label: ReactNode
  /** What it does, in a sentence. */
  hint?: ReactNode
  /** What is wrong with the value; announced. */
  error?: ReactNode
  /** The control stands below the words, as wide as the row. */
  wide?: boolean | undefined
  /** `(control) => <Switch {...control} … />`; or elements that name themselves, such as `Segmented`. */
  children: ((control: SettingControl) => ReactNode) | ReactNode
}

/** One setting: words at the start, a control at the end; one above the other on narrow screens. */
export function SettingRow({ label, hint, error, wide, children }: SettingRowProps) {
  const id = useId()
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const control: SettingControl = {
    id,
    'aria-labelledby': `${id}-label`,
    'aria-describedby': notes || undefined,
    'aria-invalid': error ? true : undefined,
  }
  const named = typeof children === 'function'
  return (
    <div className={classNames(styles['row'], wide && styles['wide'])}>
      <div className={styles['words']}>
        {named ? (
          <label className={styles['label']} id={`${id}-label`} htmlFor={id}>
            {label}
          </label>
        ) : (
          <span className={styles['label']}>{label}</span>
        )}
        {hint && (
          <span className={styles['hint']} id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </div>
      <div className={styles['control']}>
        {named ? children(control) : children}
        {error && (
          <p className={styles['error']} id={`${id}-error`} role="alert">
            <Icon name="error" size={14} />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  )
}
