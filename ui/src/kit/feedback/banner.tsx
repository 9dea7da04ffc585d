import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './banner.module.css'

interface BannerProps {
  readonly icon: IconName
  /** A button or link at the end. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** What everybody on the page should know, above its content. */
export function Banner({ icon, action, children }: BannerProps) {
  return (
    <div className={styles['banner']} role="status">
      <Icon name={icon} />
      <span className={styles['text']}>{children}</span>
      {action}
    </div>
  )
}
