import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './save-bar.module.css'

interface SaveBarProps {
  /** Names the bar, such as "Unsaved changes". */
  label: string
  /** What is not saved, such as "2 unsaved changes". */
  children: ReactNode
  discardLabel: string
  onDiscard: () => void
  saveLabel: string
  /** Without it the button submits the form around the bar. */
  onSave?: (() => void) | undefined
  busy?: boolean | undefined
}

/** Stays at the lower edge of the page while something is not saved. Render it only then. */
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
