import type { LeftOutEntry } from '../../../../src/domain/left-out.ts'
import { useText } from '../../i18n/use-text.tsx'
import styles from './left-out.module.css'

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
      {skipped.length > 0 && (
        <details className={styles['left-out']}>
          <summary>{t('jobs.leftOut', { count: skipped.length })}</summary>
          <ul>
            {skipped.map(({ name, reason }) => (
              <li key={`${reason} ${name}`}>
                <bdi>{name}</bdi>
                <span>{t('jobs.leftOutReason', { reason })}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {renamed.length > 0 && (
        <details className={styles['left-out']}>
          <summary>{t('jobs.renamed', { count: renamed.length })}</summary>
          <ul>
            {renamed.map(({ name, as }) => (
              <li key={as}>
                <bdi>{name}</bdi>
                <bdi>{as}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
