import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  /** An `svg` of its own size, such as a drawing of 120 × 96 or a glyph. `currentColor` is the colour of control borders. */
  art?: ReactNode
  title: ReactNode
  /** `h2` unless the page has no other heading. */
  heading?: 'h1' | 'h2' | undefined
  children?: ReactNode
  /** Buttons. */
  actions?: ReactNode
  /** Frames it as a place to drop files. */
  dropTarget?: boolean | undefined
  role?: 'alert' | 'status' | undefined
}

export function EmptyState({
  art,
  title,
  heading: Heading = 'h2',
  children,
  actions,
  dropTarget,
  role,
}: EmptyStateProps) {
  return (
    <div className={classNames(styles['empty'], dropTarget && styles['drop'])} role={role}>
      {art && <div className={styles['art']}>{art}</div>}
      <Heading>{title}</Heading>
      {children && <div className={styles['text']}>{children}</div>}
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}
