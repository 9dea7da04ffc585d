import { useCallback } from 'react'
import type { Resource } from '../../../../../src/domain/resource.ts'
import { ListRow } from './list-row.tsx'
import type { EntryCellProps } from './entry-cell.ts'
import type { Lines } from './use-lines.ts'
import styles from './list.module.css'

interface ListBodyProps {
  readonly lines: Lines
  readonly narrow: boolean
  cellOf(index: number): EntryCellProps | null
  pictureOf(entry: Resource): string | null
}

export function ListBody({ lines, narrow, cellOf, pictureOf }: ListBodyProps) {
  const isScrolling = useCallback(() => lines.isScrolling, [lines])
  const margin = lines.options.scrollMargin
  return (
    <div role="rowgroup" className={styles['lines']} style={{ blockSize: lines.getTotalSize() }}>
      {lines.getVirtualItems().map((line) => {
        const cell = cellOf(line.index)
        return (
          cell && (
            <ListRow
              key={cell.entry.name}
              {...cell}
              // A film takes the server longer than so small a picture is worth.
              picture={cell.entry.type === 'image' ? pictureOf(cell.entry) : null}
              isScrolling={isScrolling}
              start={line.start - margin}
              narrow={narrow}
            />
          )
        )
      })}
    </div>
  )
}
