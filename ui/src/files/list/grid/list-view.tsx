import { memo } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import { type EntryCellProps, type EntryText, type PictureCellProps, kindOf } from './entry-cell.ts'
import type { Lines } from './grid-metrics.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { type SortColumn, ariaSort } from '../toolbar/view-options.ts'
import { FileName } from '../../../kit/text/names.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { SharedMark } from '../../share/shared-mark.tsx'
import { Picture } from '../../actions/picture.tsx'
import styles from './list.module.css'

interface ListBodyProps {
  readonly lines: Lines
  readonly narrow: boolean
  cellOf(index: number): EntryCellProps | null
  pictureOf(entry: Resource): string | null
}

export function ListBody({ lines, narrow, cellOf, pictureOf }: ListBodyProps) {
  return (
    <div role="rowgroup" className={styles['lines']} style={{ blockSize: lines.height }}>
      {lines.shown.map((line) => {
        const cell = cellOf(line.index)
        return (
          cell && (
            <ListRow
              key={cell.entry.name}
              {...cell}
              // Not for videos: for a picture this small, a preview costs the server too much.
              picture={cell.entry.type === 'image' ? pictureOf(cell.entry) : null}
              isScrolling={lines.isScrolling}
              start={line.start}
              narrow={narrow}
            />
          )
        )
      })}
    </div>
  )
}

interface ListHeadProps {
  readonly sorting: Sorting
  readonly allSelected: boolean | 'mixed'
  readonly onSort: (column: SortColumn) => void
  readonly onSelectAll: (selected: boolean) => void
}

export function ListHead({ sorting, allSelected, onSort, onSelectAll }: ListHeadProps) {
  const t = useText()
  return (
    <div role="rowgroup" className={styles['heads']}>
      <div role="row" className={styles['head']} aria-rowindex={1}>
        <div role="columnheader" className={styles['check']}>
          <Checkbox checked={allSelected} onChange={onSelectAll} aria-label={t('files.selectAll')} />
        </div>
        <ColumnHead column="name" label={t('files.name')} sorting={sorting} onSort={onSort} />
        <ColumnHead
          column="size"
          label={t('files.size')}
          sorting={sorting}
          onSort={onSort}
          className={styles['size']}
        />
        <ColumnHead column="modified" label={t('files.modified')} sorting={sorting} onSort={onSort} />
        <div role="columnheader">
          <span className="visually-hidden">{t('files.actions')}</span>
        </div>
      </div>
    </div>
  )
}

interface ColumnHeadProps {
  readonly column: SortColumn
  readonly label: string
  readonly sorting: Sorting
  readonly onSort: (column: SortColumn) => void
  readonly className?: string | undefined
}

function ColumnHead({ column, label, sorting, onSort, className }: ColumnHeadProps) {
  const order = ariaSort(sorting, column)
  return (
    <div role="columnheader" aria-sort={order} className={className}>
      <button type="button" className="touch" onClick={() => onSort(column)}>
        {label}
        {order !== 'none' && <Icon name={order === 'ascending' ? 'arrow-up' : 'arrow-down'} size={14} />}
      </button>
    </div>
  )
}

interface ListRowProps extends PictureCellProps {
  readonly start: number
  readonly narrow: boolean
}

/** One entry in the list. Clicks and keys are handled by the grid. */
const ListRow = memo(function ListRow(props: ListRowProps) {
  const { entry, index, href, selected, tabStop, text, start, narrow, picture, shared, isScrolling } = props
  const broken = entry.type === 'invalid_link'
  const size = text.size(entry)
  return (
    <div
      role="row"
      className={classNames(styles['row'], entry.name.startsWith('.') && styles['dotfile'])}
      style={{ transform: `translateY(${start}px)` }}
      aria-rowindex={index + 2}
      aria-selected={selected}
      tabIndex={tabStop ? 0 : -1}
      data-entry={entry.name}
    >
      <div role="gridcell" className={styles['check']}>
        <Checkbox
          checked={selected}
          // The box only shows the selection. The grid changes it, because it knows whether Shift is held.
          onChange={() => undefined}
          tabIndex={-1}
          aria-label={text.t('files.select', { name: entry.name })}
        />
      </div>
      <div role="rowheader" className={styles['name']}>
        <Picture glyph={kindOf(entry)} src={picture} isScrolling={isScrolling} />
        <span className={styles['label']}>
          <a className={styles['open']} href={href} tabIndex={-1} title={entry.name} draggable={false}>
            <FileName name={entry.name} />
          </a>
          <SharedMark access={shared} />
          {narrow && <SecondLine entry={entry} text={text} />}
        </span>
      </div>
      {!narrow && (
        <>
          <div role="gridcell" className={styles['size']}>
            {size === '' ? (
              <span className={styles['none']}>
                <span aria-hidden="true">{text.isCounting ? '…' : '—'}</span>
                <span className="visually-hidden">
                  {text.t(text.isCounting ? 'files.calculating' : 'files.folder')}
                </span>
              </span>
            ) : (
              <bdi className={classNames(broken && styles['broken'])}>{size}</bdi>
            )}
          </div>
          <div role="gridcell" className={styles['date']}>
            <time dir="auto" dateTime={entry.modified} title={text.exact(entry)}>
              {text.modified(entry)}
            </time>
          </div>
        </>
      )}
      <div role="gridcell" className={styles['more']}>
        <IconButton
          icon="more"
          size="small"
          label={text.t('files.actionsFor', { name: entry.name })}
          aria-haspopup="menu"
          tabIndex={-1}
          data-menu=""
        />
      </div>
    </div>
  )
})

function SecondLine({ entry, text }: { entry: Resource; text: EntryText }) {
  const size = text.size(entry)
  return (
    <span className={styles['second']}>
      {size && <bdi className={classNames(entry.type === 'invalid_link' && styles['broken'])}>{size}</bdi>}
      <bdi>{text.modified(entry)}</bdi>
    </span>
  )
}
