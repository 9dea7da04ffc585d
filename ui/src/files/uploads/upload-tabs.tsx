import type { KeyboardEvent } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText, type MessageId } from '../../i18n/use-text.tsx'
import { countOf, UPLOAD_FILTERS, type UploadFilter } from './upload-filter.ts'
import type { UploadTotals } from './upload-item.ts'
import styles from './upload-panel.module.css'

const LABELS: Readonly<Record<UploadFilter, MessageId>> = {
  all: 'uploads.all',
  active: 'uploads.active',
  waiting: 'uploads.waiting',
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
