import { useId, useState, type ReactNode } from 'react'
import { Icon } from '../../kit/icon/icon.tsx'
import styles from './places.module.css'

interface PlaceSectionProps {
  readonly id: string
  readonly label: string
  readonly startsClosed?: boolean
  readonly children: ReactNode
}

const PREFIX = 'filemgr:sidebar:'

/** A part of the sidebar that can be folded away; this browser remembers it. */
export function PlaceSection({ id, label, startsClosed = false, children }: PlaceSectionProps) {
  const headId = useId()
  const [open, setOpen] = useState(() => (localStorage.getItem(PREFIX + id) ?? (startsClosed ? '' : 'open')) === 'open')
  const toggle = (): void => {
    setOpen(!open)
    localStorage.setItem(PREFIX + id, open ? '' : 'open')
  }
  return (
    <nav className={styles['section']} aria-labelledby={headId}>
      <button type="button" className={styles['head']} id={headId} aria-expanded={open} onClick={toggle}>
        <span>{label}</span>
        <Icon name={open ? 'down' : 'right'} size={14} flip />
      </button>
      {open && children}
    </nav>
  )
}
