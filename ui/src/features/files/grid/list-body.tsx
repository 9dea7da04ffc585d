import { ListRow } from './list-row.tsx'
import type { EntryCellProps } from './entry-cell.ts'
import type { Lines } from './use-lines.ts'
import styles from './list.module.css'

interface ListBodyProps {
  readonly lines: Lines
  readonly narrow: boolean
  cellOf(index: number): EntryCellProps | null
}

export function ListBody({ lines, narrow, cellOf }: ListBodyProps) {
  const margin = lines.options.scrollMargin
  return (
    <div role="rowgroup" className={styles['lines']} style={{ blockSize: lines.getTotalSize() }}>
      {lines.getVirtualItems().map((line) => {
        const cell = cellOf(line.index)
        return cell && <ListRow key={cell.entry.name} {...cell} start={line.start - margin} narrow={narrow} />
      })}
    </div>
  )
}
