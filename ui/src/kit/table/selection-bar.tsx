import type { ReactNode } from 'react'
import { IconButton } from '../button/button.tsx'
import { Toolbar } from '../button/toolbar.tsx'
import styles from './selection-bar.module.css'

interface SelectionBarProps {
  /** Names the toolbar. */
  label: string
  /** "3 selected". */
  count: string
  clearLabel: string
  onClear: () => void
  /** Actions for the selected rows: ghost buttons with icons. Their labels are hidden where space is short. */
  children: ReactNode
}

/** The toolbar above a table with selected rows. */
export function SelectionBar({ label, count, clearLabel, onClear, children }: SelectionBarProps) {
  return (
    <Toolbar label={label} className={styles['bar']}>
      <IconButton icon="x" label={clearLabel} onClick={onClear} />
      <span className={styles['count']}>{count}</span>
      {children}
    </Toolbar>
  )
}
