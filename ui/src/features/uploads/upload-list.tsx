import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import type { UploadFilter } from './upload-filter.ts'
import type { UploadItem } from './upload-queue.ts'
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
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 3,
  })
  return (
    <div
      ref={scroll}
      id={id}
      className={styles['list']}
      style={{ blockSize: Math.min(Math.max(items.length, 1), MOST_ROWS) * ROW + 16 }}
      role="tabpanel"
      aria-label={t('uploads.listOf', { filter })}
      tabIndex={0}
    >
      {items.length === 0 && <p className={styles['none']}>{t('uploads.none')}</p>}
      <ul style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index]
          // By place, not by file: hundreds of small files pass through these rows every second.
          return item && <UploadRow key={index} item={item} start={start} uploads={uploads} />
        })}
      </ul>
    </div>
  )
}
