import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useText } from '../../../i18n/use-text.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import styles from '../list-extras.module.css'

interface FilterBarProps {
  readonly query: string
  /** How many entries match. */
  readonly shown: number
  readonly all: number
  readonly onQuery: (query: string) => void
  readonly onClose: () => void
  /** Moves the focus to the filtered entries. */
  readonly onLeave: () => void
}

/** Shows only entries whose name contains the typed text. */
export function FilterBar({ query, shown, all, onQuery, onClose, onLeave }: FilterBarProps) {
  const t = useText()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const keyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const leave = event.key === 'Enter' || event.key === 'ArrowDown'
    if (!leave && event.key !== 'Escape') return
    event.preventDefault()
    if (leave) onLeave()
    else onClose()
  }
  return (
    <search className={styles['filter']}>
      <Icon name="filter" size={16} />
      <input
        ref={field}
        type="text"
        value={query}
        aria-label={t('files.filterNames')}
        placeholder={t('files.filterNames')}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        data-filter=""
        onChange={(event) => onQuery(event.currentTarget.value)}
        onKeyDown={keyDown}
      />
      <span className={styles['count']} role="status">
        {shown === 0 && query !== '' ? t('files.filterNothing') : t('files.filterCount', { shown, all })}
      </span>
      <IconButton icon="x" size="small" label={t('files.filterClose')} onClick={onClose} />
    </search>
  )
}
