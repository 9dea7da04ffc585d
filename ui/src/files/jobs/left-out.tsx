import type { LeftOutEntry } from '../../../../src/domain/files/left-out.ts'
import { useText } from '../../i18n/use-text.tsx'
import { EntryList } from './entry-list.tsx'

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
