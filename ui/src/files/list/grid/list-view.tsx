import { memo } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import { type EntryCellProps, type EntryText, type PictureCellProps, kindOf } from './entry-cell.ts'
import type { GridLayout } from '../model/grid-layout.ts'
import { GroupHeading } from './group-heading.tsx'
import type { ListColumn } from './list-columns.ts'
import type { Lines } from './grid-metrics.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { type SortColumn, ariaSort } from '../sort/sort-order.ts'
import { FileName } from '../../../kit/text/names.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { SharedMark } from '../../share/shared-mark.tsx'
import { Picture } from '../../actions/picture.tsx'
import styles from './list.module.css'

interface ListBodyProps {
  readonly lines: Lines
  readonly layout: GridLayout
  readonly columns: readonly ListColumn[]
  readonly narrow: boolean
  titleOf(group: string): string
  cellOf(index: number): EntryCellProps | null
  pictureOf(entry: Resource): string | null
}

export function ListBody({ lines, layout, columns, narrow, titleOf, cellOf, pictureOf }: ListBodyProps) {
  return (
    <div role="rowgroup" className={styles['lines']} style={{ blockSize: lines.height }}>
      {lines.shown.map(({ index, start }) => {
        const line = layout.lineAt(index)
        if (line.kind === 'heading') {
          return (
            <GroupHeading
              key={line.group}
              title={titleOf(line.group)}
              className={styles['heading']}
              start={start}
              row={index + 2}
              cells={narrow ? 3 : columns.length + 3}
            />
          )
        }
        const cell = cellOf(line.start)
        return (
          cell && (
            <ListRow
              key={cell.entry.name}
              {...cell}
              // Not for videos: for a picture this small, a preview costs the server too much.
              picture={cell.entry.type === 'image' ? pictureOf(cell.entry) : null}
              isScrolling={lines.isScrolling}
              line={index}
              start={start}
              columns={columns}
              narrow={narrow}
            />
          )
        )
      })}
    </div>
  )
}

export interface ListHeadProps {
  readonly sorting: Sorting
  readonly columns: readonly ListColumn[]
  readonly allSelected: boolean | 'mixed'
  readonly onSort: (column: SortColumn) => void
  readonly onSelectAll: (selected: boolean) => void
}

export function ListHead({ columns, sorting, allSelected, onSort, onSelectAll }: ListHeadProps) {
  const t = useText()
  return (
    <div role="rowgroup" className={styles['heads']}>
      <div role="row" className={styles['head']} aria-rowindex={1}>
        <SelectAllHead allSelected={allSelected} onSelectAll={onSelectAll} />
        {[NAME, ...columns].map((column) => (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={column.sort && ariaSort(sorting, column.sort)}
            className={styles[column.id]}
          >
            <SortButton column={column} sorting={sorting} onSort={onSort} />
          </div>
        ))}
        <div role="columnheader">
          <span className="visually-hidden">{t('files.actions')}</span>
        </div>
      </div>
    </div>
  )
}

export function SelectAllHead({ allSelected, onSelectAll }: Pick<ListHeadProps, 'allSelected' | 'onSelectAll'>) {
  const t = useText()
  return (
    <div role="columnheader" className={styles['check']}>
      <Checkbox checked={allSelected} onChange={onSelectAll} aria-label={t('files.selectAll')} />
    </div>
  )
}

export const NAME: ListColumn = { id: 'name', label: 'files.name', sort: 'name' }

interface SortButtonProps extends Pick<ListHeadProps, 'sorting' | 'onSort'> {
  readonly column: ListColumn
}

/** The label of a column, which sorts by it if that is possible. */
export function SortButton({ column: { label, sort }, sorting, onSort }: SortButtonProps) {
  const t = useText()
  if (sort === undefined) return t(label)
  const order = ariaSort(sorting, sort)
  return (
    <button type="button" className="touch" onClick={() => onSort(sort)}>
      {t(label)}
      {order !== 'none' && <Icon name={order === 'ascending' ? 'arrow-up' : 'arrow-down'} size={14} />}
    </button>
  )
}

interface ListRowProps extends PictureCellProps {
  readonly line: number
  readonly columns: readonly ListColumn[]
  readonly start: number
  readonly narrow: boolean
}

/** One entry in the list. Clicks and keys are handled by the grid. */
const ListRow = memo(function ListRow(props: ListRowProps) {
  const { entry, line, href, selected, tabStop, text, start, columns, narrow, picture, shared, isScrolling } = props
  return (
    <div
      role="row"
      className={classNames(styles['row'], entry.name.startsWith('.') && styles['dotfile'])}
      style={{ transform: `translateY(${start}px)` }}
      aria-rowindex={line + 2}
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
      {!narrow && columns.map((column) => <DataCell key={column.id} column={column} entry={entry} text={text} />)}
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

interface DataCellProps {
  readonly column: ListColumn
  readonly entry: Resource
  readonly text: EntryText
}

function DataCell({ column: { id, textOf }, entry, text }: DataCellProps) {
  if (id === 'size') return <SizeCell entry={entry} text={text} />
  return (
    <div role="gridcell" className={styles['date']}>
      {textOf ? (
        <bdi>{textOf(entry, text)}</bdi>
      ) : (
        <time dir="auto" dateTime={entry.modified} title={text.exact(entry)}>
          {text.modified(entry)}
        </time>
      )}
    </div>
  )
}

function SizeCell({ entry, text }: Omit<DataCellProps, 'column'>) {
  const size = text.size(entry)
  return (
    <div role="gridcell" className={styles['size']}>
      {size === '' ? (
        <span className={styles['none']}>
          <span aria-hidden="true">{text.isCounting ? '…' : '—'}</span>
          <span className="visually-hidden">{text.t(text.isCounting ? 'files.calculating' : 'files.folder')}</span>
        </span>
      ) : (
        <bdi className={classNames(entry.type === 'invalid_link' && styles['broken'])}>{size}</bdi>
      )}
    </div>
  )
}

function SecondLine({ entry, text }: { entry: Resource; text: EntryText }) {
  const size = text.size(entry)
  return (
    <span className={styles['second']}>
      {size && <bdi className={classNames(entry.type === 'invalid_link' && styles['broken'])}>{size}</bdi>}
      <bdi>{text.modified(entry)}</bdi>
    </span>
  )
}
