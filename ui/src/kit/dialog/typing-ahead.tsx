import { type KeyboardEvent, useEffect, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import overlay from './overlay.module.css'
import styles from './spotlight.module.css'

/** What is typed into a `Spotlight` whose code is on its way. */
export interface TypedAhead {
  text: string
  /** The field has been there: the spotlight takes over its text and focus, and does not appear once more. */
  isTyped: boolean
  /** What had the focus before. */
  readonly returnTo: Element | null
}

export function typeAhead(text = ''): TypedAhead {
  return { text, isTyped: false, returnTo: document.activeElement }
}

interface TypingAheadProps {
  readonly ahead: TypedAhead
  readonly label: string
  readonly icon: IconName
  readonly wide?: boolean
  readonly onClose: () => void
}

/** The field of a spotlight, at once. */
export function TypingAhead({ ahead, label, icon, wide, onClose }: TypingAheadProps) {
  const [text, setText] = useState(ahead.text)
  useEffect(() => {
    ahead.isTyped = true
  }, [ahead])
  const handleKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
  }
  return (
    <div className={classNames(overlay['scrim'], styles['scrim'])} onKeyDown={handleKeyDown}>
      <div
        className={classNames(overlay['panel'], styles['spot'], wide && styles['wide'])}
        role="dialog"
        aria-label={label}
        aria-busy="true"
      >
        <div className={styles['field']}>
          <Icon name={icon} size={20} />
          <input
            autoFocus
            aria-label={label}
            placeholder={label}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              ahead.text = event.target.value
            }}
          />
        </div>
      </div>
    </div>
  )
}
