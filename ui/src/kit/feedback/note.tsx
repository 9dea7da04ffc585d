import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './note.module.css'

interface NoteProps {
  icon: IconName
  tone?: 'neutral' | 'danger' | 'ok' | 'warning' | undefined
  role?: 'status' | 'alert' | undefined
  children: ReactNode
}

/** A short message inside a page or a dialog. */
export function Note({ icon, tone = 'neutral', role, children }: NoteProps) {
  return (
    <div className={classNames(styles['note'], styles[tone])} role={role}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  )
}

/** What went wrong, which screen readers read at once; nothing without a text. */
export function ErrorNote({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <Note icon="error" tone="danger" role="alert">
      {children}
    </Note>
  )
}

interface BadgeProps {
  tone?: 'neutral' | 'ok' | 'warning' | 'danger' | 'accent' | undefined
  icon?: IconName | undefined
  /** The full text on hover, such as the exact time. */
  title?: string | undefined
  children: ReactNode
}

/** A fact in a word or two. The colour only repeats what the words say. */
export function Badge({ tone = 'neutral', icon, title, children }: BadgeProps) {
  return (
    <span className={classNames(styles['badge'], styles[tone])} title={title}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  )
}
