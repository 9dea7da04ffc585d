import { type ComponentProps, type ReactNode, useId, type KeyboardEvent, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './text-field.module.css'
import { Icon, type IconName } from '../icon/icon.tsx'
import { IconButton } from '../button/button.tsx'
import { useKitText } from '../contexts.ts'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'children'> {
  /** Leave it out if a surrounding element names the field, such as a `SettingRow`. */
  label?: ReactNode
  hint?: ReactNode
  /** Error message. Announced, and the field is marked invalid. */
  error?: ReactNode
  /** Whether the value matches, such as a repeated password. */
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
      <div className={styles['error']} id={id} role="alert">
        <Icon name="error" size={14} />
        <div>{error}</div>
      </div>
    )
  }
  return hint ? (
    <div className={styles['hint']} id={id}>
      {hint}
    </div>
  ) : null
}

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'end' | 'onKeyUp' | 'spellCheck'>

/** A password with a button that shows it, and a hint while Caps Lock is on. */
export function PasswordField({ hint, onBlur, ...rest }: PasswordFieldProps) {
  const text = useKitText()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const toggle = (
    <IconButton
      icon={shown ? 'eye-off' : 'eye'}
      label={shown ? text.hidePassword : text.showPassword}
      onClick={() => setShown(!shown)}
    />
  )
  return (
    <TextField
      {...rest}
      type={shown ? 'text' : 'password'}
      hint={<span role="status">{capsLock ? text.capsLock : hint}</span>}
      end={toggle}
      spellCheck={false}
      autoCapitalize="none"
      onKeyUp={watchCapsLock}
      onBlur={(event) => {
        setCapsLock(false)
        onBlur?.(event)
      }}
    />
  )
}

interface FilterFieldProps {
  /** Also the placeholder. */
  readonly label: string
  readonly value: string
  readonly className?: string | undefined
  readonly onChange: (value: string) => void
}

/** Filters a list while the user types. */
export function FilterField({ label, value, className, onChange }: FilterFieldProps) {
  return (
    <TextField
      className={className}
      label={<span className="visually-hidden">{label}</span>}
      placeholder={label}
      type="search"
      icon="search"
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface DateTimeFieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Undefined while the field is empty or incomplete. */
  value: Date | undefined
  /** The earliest moment that the browser offers. */
  min?: Date | undefined
  onChange: (value: Date | undefined) => void
}

/** Date and time to the minute, in the browser's time zone. The browser shows its own calendar. */
export function DateTimeField({ value, min, onChange, ...rest }: DateTimeFieldProps) {
  return (
    <TextField
      {...rest}
      type="datetime-local"
      // Uncontrolled, because a controlled value would discard a half-typed date.
      defaultValue={value && toLocalText(value)}
      min={min && toLocalText(min)}
      onChange={(event) => onChange(fromLocalText(event.currentTarget.value))}
    />
  )
}

/** The format of `<input type="datetime-local">`, in the browser's time zone: "2026-03-01T09:30". */
export function toLocalText(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The reverse of `toLocalText`; undefined while the text is incomplete. */
export function fromLocalText(text: string): Date | undefined {
  const date = new Date(text)
  return /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(date.getTime()) ? date : undefined
}
