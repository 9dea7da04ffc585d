import type { ReactNode } from 'react'
import styles from './solo.module.css'

interface SoloProps {
  children: ReactNode
  footer?: ReactNode
}

/** A narrow page of its own, without the shell around it. */
export function Solo({ children, footer }: SoloProps) {
  return (
    <div className={styles['solo']}>
      <main>{children}</main>
      {footer && <footer>{footer}</footer>}
    </div>
  )
}
