import { type ReactNode, type SubmitEvent, useId } from 'react'
import styles from './settings.module.css'
import { classNames } from '../../lib/class-names.ts'
import { Icon } from '../icon/icon.tsx'
import { Button } from '../button/button.tsx'

interface SettingCardProps {
  title: ReactNode
  /** Explains the group or the effect of changes. */
  hint?: ReactNode
  /** Makes it a form of its own: Enter submits. Its main button needs `type="submit"`. */
  onSubmit?: (() => void) | undefined
  /** Buttons under the rows; wrap one in `<span className="grow">` to move the others to the end. */
  footer?: ReactNode
  /** `SettingRow`s, or other content of the card. */
  children: ReactNode
}

/** Settings that belong together, under a heading. */
export function SettingCard({ title, hint, onSubmit, footer, children }: SettingCardProps) {
  const headingId = useId()
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  const inside = (
    <>
      {children}
      {footer && <div className={styles['footer']}>{footer}</div>}
    </>
  )
  return (
    <section className={styles['card']} aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{title}</h2>
        {hint && <p>{hint}</p>}
      </header>
      {onSubmit ? (
        <form className={styles['box']} aria-labelledby={headingId} noValidate onSubmit={handleSubmit}>
          {inside}
        </form>
      ) : (
        <div className={styles['box']}>{inside}</div>
      )}
    </section>
  )
}

/** The attributes that connect a control with its label, hint and error. */
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
  /** Error message; announced. */
  error?: ReactNode
  /** Puts the control below the text, over the full width. */
  wide?: boolean | undefined
  /** `(control) => <Switch {...control} … />`; or elements that name themselves, such as `Segmented`. */
  children: ((control: SettingControl) => ReactNode) | ReactNode
}

/** One setting: text at the start and a control at the end, stacked on narrow screens. */
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

interface SaveBarProps {
  /** Names the bar, such as "Unsaved changes". */
  label: string
  /** The unsaved changes, such as "2 unsaved changes". */
  children: ReactNode
  discardLabel: string
  onDiscard: () => void
  saveLabel: string
  /** Without it the button submits the form around the bar. */
  onSave?: (() => void) | undefined
  busy?: boolean | undefined
}

/** Stays at the lower edge of the page. Render it only while there are unsaved changes. */
export function SaveBar({ label, children, discardLabel, onDiscard, saveLabel, onSave, busy = false }: SaveBarProps) {
  return (
    <div className={styles['bar']} role="region" aria-label={label}>
      <span className={styles['dot']} aria-hidden="true" />
      <span className="grow clip" role="status">
        {children}
      </span>
      <Button variant="ghost" size="small" disabled={busy} onClick={onDiscard}>
        {discardLabel}
      </Button>
      <Button
        variant="primary"
        size="small"
        type={onSave ? 'button' : 'submit'}
        progress={busy ? 'busy' : 'idle'}
        onClick={onSave}
      >
        {saveLabel}
      </Button>
    </div>
  )
}
