import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { useText, useTextPart } from '../../../../i18n/use-text.tsx'
import { IconButton } from '../../../../kit/button/button.tsx'
import { type MenuAnchor, useMenus } from '../../../../kit/menu/menu.tsx'
import { ariaSort } from '../../sort/sort-order.ts'
import { type ListHeadProps, NAME, SelectAllHead, SortButton } from '../list-view.tsx'
import styles from '../list.module.css'
import { columnMenu, NARROWEST, resizeByKey, WIDEST } from './change-columns.ts'
import { useColumnsControl } from './columns.ts'
import { dragColumn } from './drag-column.ts'

/** The head of a list whose columns can be chosen, moved and resized. */
export function ColumnsHead({ columns, sorting, allSelected, onSort, onSelectAll }: ListHeadProps) {
  useTextPart('tools')
  const t = useText()
  const menus = useMenus()
  const control = useColumnsControl() ?? { columns: [], onColumns: () => undefined }
  const showMenu = (anchor: MenuAnchor, target: EventTarget): void =>
    menus.open({ label: t('files.columns'), anchor, entries: columnMenu(t, control, columnAt(target)) })

  const contextMenu = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    showMenu({ x: event.clientX, y: event.clientY }, event.target)
  }
  const keyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey, target } = event
    if (!(target instanceof HTMLElement)) return
    const asksMenu = shiftKey && key === 'F10'
    if (asksMenu) showMenu({ element: target }, target)
    if (asksMenu || (target.role === 'separator' && resizeByKey(control, columnAt(target), key, target)))
      event.preventDefault()
  }
  const press = ({ button, nativeEvent }: PointerEvent): void => {
    if (button === 0) dragColumn(nativeEvent, control)
  }
  return (
    <div
      role="rowgroup"
      className={styles['heads']}
      onPointerDown={press}
      onKeyDown={keyDown}
      onContextMenu={contextMenu}
    >
      <div role="row" className={styles['head']} aria-rowindex={1}>
        <SelectAllHead allSelected={allSelected} onSelectAll={onSelectAll} />
        <div role="columnheader" aria-sort={ariaSort(sorting, 'name')}>
          <SortButton column={NAME} sorting={sorting} onSort={onSort} />
        </div>
        {columns.map((column, index) => (
          <div
            key={column.id}
            role="columnheader"
            aria-label={t(column.label)}
            aria-sort={column.sort && ariaSort(sorting, column.sort)}
            className={styles[column.id]}
            data-column={column.id}
          >
            <span
              role="separator"
              className={styles['edge']}
              tabIndex={0}
              aria-orientation="vertical"
              aria-label={t('files.columnWidth', { column: t(column.label) })}
              aria-valuenow={control.columns[index]?.width}
              aria-valuemin={NARROWEST}
              aria-valuemax={WIDEST}
            />
            <SortButton column={column} sorting={sorting} onSort={onSort} />
          </div>
        ))}
        <div role="columnheader" aria-label={t('files.actions')}>
          <IconButton
            icon="sliders"
            size="small"
            label={t('files.columns')}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => showMenu({ element: currentTarget }, currentTarget)}
          />
        </div>
      </div>
    </div>
  )
}

function columnAt(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-column]')?.dataset['column'] : undefined
}
