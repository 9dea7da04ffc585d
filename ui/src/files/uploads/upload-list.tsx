import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { UploadBatchRow } from './upload-batch-row.tsx'
import { rowsOf, type UploadFilter } from './upload-filter.ts'
import type { UploadItem } from './upload-item.ts'
import { UploadRow } from './upload-row.tsx'
import type { Uploads } from './uploads.ts'
import styles from './upload-panel.module.css'

const ROW = 44
const MOST_ROWS = 5

interface UploadListProps {
  readonly id: string
  readonly filter: UploadFilter
  readonly items: readonly UploadItem[]
  readonly uploads: Uploads
}

/** Thousands of uploads cost as much as the five that are seen. */
export function UploadList({ id, filter, items, uploads }: UploadListProps) {
  const t = useText()
  const [openBatches, setOpenBatches] = useState<ReadonlySet<string>>(new Set())
  const scroll = useRef<HTMLDivElement>(null)
  const lines = rowsOf(filter, items, openBatches)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 3,
  })
  const toggle = (batch: string): void =>
    setOpenBatches((before) => {
      const after = new Set(before)
      if (!after.delete(batch)) after.add(batch)
      return after
    })
  return (
    <div
      ref={scroll}
      id={id}
      className={styles['list']}
      style={{ blockSize: Math.min(Math.max(lines.length, 1), MOST_ROWS) * ROW + 16 }}
      role="tabpanel"
      aria-label={t('uploads.listOf', { filter })}
      tabIndex={0}
    >
      {lines.length === 0 && <p className={styles['none']}>{t('uploads.none')}</p>}
      <ul style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          // By place, not by file: hundreds of small files pass through these rows every second.
          if (line?.kind === 'batch') {
            const { batch, open } = line
            const onToggle = (): void => toggle(batch.id)
            return <UploadBatchRow key={index} {...{ batch, open, start, uploads, onToggle }} />
          }
          return line && <UploadRow key={index} item={line.item} nested={line.nested} start={start} uploads={uploads} />
        })}
      </ul>
    </div>
  )
}
