import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import styles from './badge.module.css'
import tones from './tones.module.css'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

interface BadgeProps {
  tone?: 'neutral' | 'ok' | 'warning' | 'danger' | 'accent' | undefined
  icon?: IconName | undefined
  /** What it stands for in full, such as the exact time. */
  title?: string | undefined
  children: ReactNode
}

/** A fact about a thing in a word or two. The colour only supports the words. */
export function Badge({ tone = 'neutral', icon, title, children }: BadgeProps) {
  return (
    <span className={classNames(styles['badge'], tones[tone])} title={title}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  )
}
