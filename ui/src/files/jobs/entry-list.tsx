import type { ReactNode } from 'react'
import styles from './entry-list.module.css'

interface EntryListProps {
  readonly title: string
  readonly isError?: boolean
  readonly rows: readonly {
    readonly key: string
    readonly name: string
    /** Shown when the pointer rests on the name. */
    readonly path?: string
    readonly note: ReactNode
  }[]
}

/** Entries of an operation with a note each, below a title that opens them. Errors are open at once. */
export function EntryList({ title, isError = false, rows }: EntryListProps) {
  if (rows.length === 0) return null
  return (
    <details className={styles['entries']} data-error={isError || undefined} open={isError}>
      <summary>{title}</summary>
      <ul>
        {rows.map(({ key, name, path, note }) => (
          <li key={key}>
            <bdi title={path}>{name}</bdi>
            {note}
          </li>
        ))}
      </ul>
    </details>
  )
}
