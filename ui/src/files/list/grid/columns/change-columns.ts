import type { Translate } from '../../../../i18n/use-text.tsx'
import type { MenuEntry } from '../../../../kit/menu/menu.tsx'
import { USUAL_COLUMNS } from '../../listing/looks.ts'
import { type Column, type ColumnId, COLUMNS, type ColumnsControl } from './columns.ts'

/** Limits of the width of a column. */
export const NARROWEST = 64
export const WIDEST = 400

const WIDTHS: Readonly<Record<ColumnId, number>> = { size: 104, modified: 152, type: 104, mode: 120 }

/**
 * The menu of the columns.
 *
 * @param of the column whose head it belongs to, if any
 */
export function columnMenu(t: Translate, { columns, onColumns }: ColumnsControl, of: string | undefined): MenuEntry[] {
  const index = columns.findIndex(({ id }) => id === of)
  const move = (by: number): MenuEntry => ({
    label: t(by < 0 ? 'look.moveEarlier' : 'look.moveLater'),
    disabled: columns[index + by] === undefined,
    run: () => onColumns(moved(columns, index, index + by)),
  })
  const choices = Object.entries(COLUMNS).map(([key, { label }]): MenuEntry => {
    const id = key as ColumnId
    const shown = columns.some((column) => column.id === id)
    const run = (): void =>
      onColumns(shown ? columns.filter((column) => column.id !== id) : [...columns, { id, width: WIDTHS[id] }])
    return { kind: 'choice', several: true, label: t(label), checked: shown, run }
  })
  return [
    ...(index === -1 ? [] : [move(-1), move(1), { kind: 'separator' as const }]),
    ...choices,
    { kind: 'separator' },
    { label: t('look.resetColumns'), icon: 'undo', run: () => onColumns(USUAL_COLUMNS) },
  ]
}

/** Pixels that a key press changes a width by. */
const STEP = 8

/** Arrows move the edge as they point; Home and End go to the limits, Enter to the usual width. False for other keys. */
export function resizeByKey(
  { columns, onColumns }: ColumnsControl,
  id: string | undefined,
  key: string,
  edge: HTMLElement,
): boolean {
  const sign = isRightToLeft(edge) ? -1 : 1
  const widthBy: Readonly<Record<string, (column: Column) => number>> = {
    ArrowLeft: ({ width }) => width + sign * STEP,
    ArrowRight: ({ width }) => width - sign * STEP,
    Home: () => NARROWEST,
    End: () => WIDEST,
    Enter: (column) => WIDTHS[column.id],
  }
  const change = widthBy[key]
  if (change !== undefined)
    onColumns(columns.map((each) => (each.id === id ? { ...each, width: within(change(each)) } : each)))
  return change !== undefined
}

export function moved(columns: readonly Column[], from: number, to: number): readonly Column[] {
  const rest = columns.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...columns.slice(from, from + 1), ...rest.slice(to)]
}

export function within(width: number): number {
  return Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)))
}

export function isRightToLeft(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl'
}
