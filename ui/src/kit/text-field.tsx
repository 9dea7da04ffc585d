import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../lib/class-names.ts'
import styles from './text-field.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'children'> {
  /** Without it the field is named by what stands around it, such as a `SettingRow`. */
  label?: ReactNode
  hint?: ReactNode
  /** What is wrong with the value; announced, and the field is marked invalid. */
  error?: ReactNode
  /** Says that the value fits, such as a repeated password. */
  matched?: boolean | undefined
  icon?: IconName | undefined
  /** A small control inside the field, at its end. */
  end?: ReactNode
}

/** An input with its label. Pass `ref` to focus it. */
export function TextField({ label, hint, error, matched, icon, end, className, id, ...rest }: TextFieldProps) {
  const ownId = useId()
  const inputId = id ?? ownId
  const noteId = `${inputId}-note`
  const notes = [rest['aria-describedby'], (error || hint) && noteId].filter(Boolean).join(' ')
  return (
    <div className={classNames(styles['field'], className)}>
      {label && (
        <label className={styles['label']} htmlFor={inputId}>
          {label}
        </label>
      )}
      <div
        className={classNames(
          styles['affix'],
          icon !== undefined && styles['has-start'],
          Boolean(end) && styles['has-end'],
        )}
      >
        {icon && <Icon name={icon} />}
        <input
          {...rest}
          id={inputId}
          className={classNames(styles['input'], matched && styles['matched'])}
          aria-invalid={error ? true : rest['aria-invalid']}
          aria-describedby={notes || undefined}
        />
        {end}
      </div>
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  )
}

function FieldNote({ id, hint, error }: { id: string; hint?: ReactNode; error?: ReactNode }) {
  if (error) {
    return (
      <p className={styles['error']} id={id} role="alert">
        <Icon name="error" size={14} />
        <span>{error}</span>
      </p>
    )
  }
  return hint ? (
    <div className={styles['hint']} id={id}>
      {hint}
    </div>
  ) : null
}
