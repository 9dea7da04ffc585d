import { useLingui } from '@lingui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import type { TrashItem } from '../../../../src/domain/trash.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { createFormatWhen } from '../../lib/format-when.ts'
import { NARROW, useMediaQuery } from '../../lib/use-media-query.ts'
import { TrashRow } from './trash-row.tsx'
import styles from './trash-page.module.css'

const ROW = 56
const NARROW_ROW = 72

interface TrashListProps {
  readonly items: readonly TrashItem[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[], on: boolean) => void
  readonly onRestore: (item: TrashItem) => void
  readonly onRemove: (item: TrashItem) => void
}

/** The latest first. Only what is seen is in the page. */
export function TrashList({ items, chosen, onChoose, onRestore, onRemove }: TrashListProps) {
  const t = useText()
  const scroll = useRef<HTMLDivElement>(null)
  const narrow = useMediaQuery(NARROW)
  const { locale } = useLingui().i18n
  const when = useMemo(() => createFormatWhen(locale), [locale])
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (narrow ? NARROW_ROW : ROW),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 6,
  })
  const count = items.filter(({ id }) => chosen.has(id)).length
  return (
    <>
      <div className={styles['head']}>
        <Checkbox
          checked={count === 0 ? false : count === items.length || 'mixed'}
          onChange={(on) =>
            onChoose(
              items.map(({ id }) => id),
              on,
            )
          }
          label={t('files.selectAll')}
        />
      </div>
      <div ref={scroll} className={styles['scroll']}>
        <ul className={styles['list']} aria-label={t('trash.list')} style={{ blockSize: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ key, index, start, size }) => {
            const item = items[index]
            return (
              item && (
                <TrashRow
                  key={key}
                  item={item}
                  start={start}
                  height={size}
                  when={when}
                  selected={chosen.has(item.id)}
                  onSelect={(on) => onChoose([item.id], on)}
                  onRestore={() => onRestore(item)}
                  onRemove={() => onRemove(item)}
                />
              )
            )
          })}
        </ul>
      </div>
    </>
  )
}
