import type { ReactNode } from 'react'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { SharedMark } from '../../share/shared-mark.tsx'
import type { EntryCellProps } from './entry-cell.ts'
import styles from './tiles.module.css'

interface TileProps extends EntryCellProps {
  readonly className: string | undefined
  readonly children: ReactNode
}

/** The cell of an entry with its check box. Clicks and keys are handled by the grid. */
export function Tile({ entry, selected, tabStop, text, shared, className, children }: TileProps) {
  const dotfile = entry.name.startsWith('.')
  return (
    <div
      role="gridcell"
      className={classNames(styles['tile'], className, dotfile && styles['dotfile'])}
      aria-selected={selected}
      tabIndex={tabStop ? 0 : -1}
      data-entry={entry.name}
    >
      {children}
      <SharedMark access={shared} tile={!entry.isDir} />
      <Checkbox
        className={styles['check']}
        checked={selected}
        onChange={ignore}
        tabIndex={-1}
        aria-label={text.t('files.select', { name: entry.name })}
      />
    </div>
  )
}

/** The box shows the selection; the grid changes it, because a click may carry Shift. */
function ignore(): void {
  return undefined
}
