import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'
import styles from './note.module.css'
import tones from './tones.module.css'

interface NoteProps {
  icon: IconName
  tone?: 'neutral' | 'danger' | 'ok' | 'warning' | undefined
  role?: 'status' | 'alert' | undefined
  children: ReactNode
}

/** A short message inside a page or a dialog. */
export function Note({ icon, tone = 'neutral', role, children }: NoteProps) {
  return (
    <div className={classNames(styles['note'], tones[tone])} role={role}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  )
}
