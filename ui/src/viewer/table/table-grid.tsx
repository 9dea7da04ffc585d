import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Icon } from '../../kit/icon/icon.tsx'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import type { Arrangement } from './table-model.ts'
import type { OpenTable } from './use-table.ts'
import styles from './table-stage.module.css'

const ROW = 32
/** Height of the column heads, which sort when pressed. */
const HEAD = 32
const TOUCH_HEAD = 44
const MIN_WIDTH = 68
const MAX_WIDTH = 360
const CHARACTER = 7.5
const PADDING = 28

interface TableGridProps {
  readonly table: OpenTable
  readonly label: string
  readonly sort: Pick<Arrangement, 'column' | 'descending'>
  readonly onSort: (column: number) => void
  /** Other rows have come into view. */
  readonly onWindow: (window: readonly [from: number, to: number]) => void
}

/** A grid of which only the visible rows and columns are in the page. */
export function TableGrid({ table, label, sort, onSort, onWindow }: TableGridProps) {
  const { facts, count, from, rows } = table
  const scroll = useRef<HTMLDivElement>(null)
  const head = useMediaQuery(NARROW) ? TOUCH_HEAD : HEAD
  const number = String(facts.rows).length * CHARACTER + PADDING
  const lines = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 20,
    scrollMargin: head,
  })
  const columns = useVirtualizer({
    horizontal: true,
    isRtl: false,
    count: facts.columns.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => widthOf(facts, index),
    overscan: 4,
    scrollMargin: number,
  })
  useEffect(() => columns.measure(), [columns, facts])
  const visible = lines.getVirtualItems()
  const first = Math.max(0, (visible[0]?.index ?? 0) - 50)
  const last = (visible.at(-1)?.index ?? 0) + 51
  useEffect(() => onWindow([first, last]), [onWindow, first, last])
  const across = columns.getVirtualItems()
  return (
    <div ref={scroll} className={styles['scroll']} tabIndex={0} role="group" aria-label={label}>
      <div
        className={styles['cells']}
        role="table"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={facts.columns.length}
        style={{ blockSize: lines.getTotalSize() + head, inlineSize: columns.getTotalSize() + number }}
      >
        <div className={styles['heads']} role="row" aria-rowindex={1} style={{ blockSize: head }}>
          {across.map(({ index, start, size }) => (
            <div
              key={index}
              role="columnheader"
              aria-colindex={index + 1}
              aria-sort={sort.column === index ? (sort.descending ? 'descending' : 'ascending') : 'none'}
              className={styles['cell']}
              style={{ insetInlineStart: start, inlineSize: size }}
            >
              <button type="button" title={facts.columns[index]} onClick={() => onSort(index)}>
                <bdi>{facts.columns[index]}</bdi>
                {sort.column === index && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} size={14} />}
              </button>
            </div>
          ))}
        </div>
        {visible.map(({ index, start }) => {
          const row = rows[index - from]
          return (
            <div
              key={index}
              className={styles['row']}
              role="row"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={styles['number']} style={{ inlineSize: number }} aria-hidden="true">
                {row?.number}
              </span>
              {across.map((column) => (
                <div
                  key={column.index}
                  role="cell"
                  aria-colindex={column.index + 1}
                  className={styles['cell']}
                  style={{ insetInlineStart: column.start, inlineSize: column.size }}
                  title={row?.cells[column.index]}
                  dir="auto"
                >
                  {row?.cells[column.index]}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function widthOf({ widths, columns }: OpenTable['facts'], index: number): number {
  const characters = Math.max(widths[index] ?? 0, (columns[index]?.length ?? 0) + 2)
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, characters * CHARACTER + PADDING))
}
