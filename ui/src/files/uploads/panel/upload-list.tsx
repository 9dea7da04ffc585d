import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useRef, useState } from 'react'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { UploadBatchRow, UploadRow } from './upload-row.tsx'
import { UPLOAD_FILTERS, type UploadFilter, countOf, rowsOf } from './upload-filter.ts'
import type { UploadItem, UploadTotals } from '../queue/upload-item.ts'
import type { Uploads } from '../uploads.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import styles from './upload-panel.module.css'

const ROW = 44
const MAX_ROWS = 5

interface UploadListProps {
  readonly id: string
  readonly filter: UploadFilter
  readonly items: readonly UploadItem[]
  readonly uploads: Uploads
}

/** Renders only the visible rows, so that thousands of uploads cost no more than five. */
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
      style={{ blockSize: Math.min(Math.max(lines.length, 1), MAX_ROWS) * ROW + 16 }}
      role="tabpanel"
      aria-label={t('uploads.listOf', { filter })}
      tabIndex={0}
    >
      {lines.length === 0 && <p className={styles['none']}>{t('uploads.none')}</p>}
      <ul style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          // Keyed by position, not by file: hundreds of small files pass through these rows every second.
          if (line?.kind === 'batch') {
            const { batch, open } = line
            const onToggle = (): void => toggle(batch.id)
            return (
              <UploadBatchRow
                key={index}
                batch={batch}
                open={open}
                start={start}
                uploads={uploads}
                onToggle={onToggle}
              />
            )
          }
          return line && <UploadRow key={index} item={line.item} nested={line.nested} start={start} uploads={uploads} />
        })}
      </ul>
    </div>
  )
}

const LABELS: Readonly<Record<UploadFilter, MessageId>> = {
  all: 'uploads.all',
  active: 'uploads.active',
  waiting: 'jobs.waiting',
  failed: 'uploads.failedTab',
  done: 'uploads.done',
}

interface UploadTabsProps {
  readonly totals: UploadTotals
  readonly filter: UploadFilter
  readonly panelId: string
  readonly onFilter: (filter: UploadFilter) => void
}

export function UploadTabs({ totals, filter, panelId, onFilter }: UploadTabsProps) {
  const t = useText()
  const format = useFormat()
  const step = (event: KeyboardEvent<HTMLElement>): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -by : by
    const next = UPLOAD_FILTERS.at((UPLOAD_FILTERS.indexOf(filter) + forward) % UPLOAD_FILTERS.length) ?? 'all'
    onFilter(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-filter=${next}]`)?.focus()
  }
  return (
    <div className={styles['tabs']} role="tablist" aria-label={t('uploads.show')} onKeyDown={step}>
      {UPLOAD_FILTERS.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          aria-selected={each === filter}
          aria-controls={panelId}
          tabIndex={each === filter ? 0 : -1}
          data-filter={each}
          onClick={() => onFilter(each)}
        >
          {t(LABELS[each])} <span>{format.number(countOf(each, totals))}</span>
        </button>
      ))}
    </div>
  )
}
