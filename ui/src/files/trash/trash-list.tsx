import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import type { TrashItem } from '../../../../src/domain/files/trash.ts'
import { wayTo } from '../../common/where.ts'
import { useText, useLocale } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { type FormatWhen, createFormatWhen } from '../../lib/format.ts'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import { usePermissionsAt } from '../../api/permissions.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { FileName } from '../../kit/text/names.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { parentFolder } from '../../lib/navigation/app-path.ts'
import { classNames } from '../../lib/class-names.ts'
import { kindOfName } from '../../lib/file-kind.ts'
import styles from './trash-page.module.css'

const ROW = 56
const NARROW_ROW = 72

interface TrashListProps {
  readonly items: readonly TrashItem[]
  readonly selectedIds: ReadonlySet<string>
  readonly onSelect: (ids: readonly string[], on: boolean) => void
  readonly onRestore: (item: TrashItem) => void
  readonly onRemove: (item: TrashItem) => void
}

/** Deleted items, latest first. Virtualised. */
export function TrashList({ items, selectedIds, onSelect, onRestore, onRemove }: TrashListProps) {
  const t = useText()
  const scroll = useRef<HTMLDivElement>(null)
  const narrow = useMediaQuery(NARROW)
  const locale = useLocale()
  const when = useMemo(() => createFormatWhen(locale), [locale])
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (narrow ? NARROW_ROW : ROW),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 6,
  })
  const count = items.filter(({ id }) => selectedIds.has(id)).length
  return (
    <>
      <div className={styles['head']}>
        <Checkbox
          checked={count === 0 ? false : count === items.length || 'mixed'}
          onChange={(on) =>
            onSelect(
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
                  selected={selectedIds.has(item.id)}
                  onSelect={(on) => onSelect([item.id], on)}
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

interface TrashRowProps {
  readonly item: TrashItem
  readonly start: number
  readonly height: number
  readonly selected: boolean
  readonly when: FormatWhen
  readonly onSelect: (on: boolean) => void
  readonly onRestore: () => void
  readonly onRemove: () => void
}

const WARN_BELOW_DAYS = 3

function TrashRow({ item, start, height, selected, when, onSelect, onRestore, onRemove }: TrashRowProps) {
  const t = useText()
  const format = useFormat()
  const { name, path, isDir, size } = item
  const mayRestore = usePermissionsAt()(path).create
  const now = new Date()
  const deleted = new Date(item.deleted)
  const remainingDays = item.expires === undefined ? undefined : daysLeft(new Date(item.expires), now)
  return (
    <li
      className={classNames(styles['row'], selected && styles['selected'])}
      data-selected={selected ? '' : undefined}
      style={{ transform: `translateY(${start}px)`, blockSize: height }}
    >
      <Checkbox checked={selected} onChange={onSelect} aria-label={t('files.select', { name })} />
      <FileGlyph type={isDir ? 'folder' : (kindOfName(name) ?? 'other')} size={24} />
      <div className={styles['what']}>
        <span className={styles['name']} title={path}>
          <FileName name={name} />
        </span>
        <span className={styles['fact']}>{t('trash.from', { folder: wayTo(t, parentFolder(path)) })}</span>
      </div>
      <bdi className={styles['size']}>{isDir ? t('files.folder') : format.bytes(size)}</bdi>
      <div className={styles['dates']}>
        <time dateTime={item.deleted} title={format.dateTime(deleted)}>
          {when(deleted, now)}
        </time>
        {remainingDays !== undefined && (
          <span className={classNames(styles['fact'], remainingDays <= WARN_BELOW_DAYS && styles['soon'])}>
            {t('trash.expires', { days: remainingDays })}
          </span>
        )}
      </div>
      <div className={styles['buttons']}>
        {mayRestore && <IconButton icon="undo" label={t('trash.restoreOne', { name })} onClick={onRestore} />}
        <IconButton icon="trash" label={t('trash.removeOne', { name })} onClick={onRemove} />
      </div>
    </li>
  )
}

const DAY = 24 * 60 * 60 * 1000

/** Days until the end, rounded up; 0 once it has passed. */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / DAY))
}
