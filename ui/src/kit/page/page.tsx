import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './page.module.css'

interface PageProps {
  title: ReactNode
  /** One sentence about the purpose of the page. */
  hint?: ReactNode
  /** Buttons or a field at the end of the heading. */
  actions?: ReactNode
  /** For tables; "full" uses the whole width. */
  wide?: boolean | 'full' | undefined
  children: ReactNode
}

/** A page to read from top to bottom, such as a page of settings: its heading, then `SettingCard`s or a table. */
export function Page({ title, hint, actions, wide, children }: PageProps) {
  return (
    <div className={classNames(styles['page'], wide && styles[wide === 'full' ? 'full' : 'wide'])}>
      <header className={styles['head']}>
        <div>
          <h1>{title}</h1>
          {hint && <p>{hint}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}

interface SoloProps {
  children: ReactNode
  footer?: ReactNode
}

/** A narrow page without the shell around it. */
export function Solo({ children, footer }: SoloProps) {
  return (
    <div className={styles['solo']}>
      <main>{children}</main>
      {footer && <footer>{footer}</footer>}
    </div>
  )
}
