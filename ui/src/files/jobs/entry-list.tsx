import type { ReactNode } from 'react'
import styles from './entry-list.module.css'
import type { LeftOutEntry } from '../../../../src/domain/files/left-out.ts'
import { useText } from '../../i18n/use-text.tsx'

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

interface LeftOutProps {
  readonly entries: readonly LeftOutEntry[]
}

/** What an operation has skipped, each with the reason, and what is there under another name. */
export function LeftOut({ entries }: LeftOutProps) {
  const t = useText()
  const skipped = entries.filter((entry) => entry.as === undefined)
  const renamed = entries.filter((entry) => entry.as !== undefined)
  return (
    <>
      <EntryList
        title={t('jobs.leftOut', { count: skipped.length })}
        rows={skipped.map(({ name, reason }) => ({
          key: `${reason} ${name}`,
          name,
          note: <span>{t('jobs.leftOutReason', { reason })}</span>,
        }))}
      />
      <EntryList
        title={t('jobs.renamed', { count: renamed.length })}
        rows={renamed.map(({ name, as = name }) => ({ key: as, name, note: <bdi>{as}</bdi> }))}
      />
    </>
  )
}
