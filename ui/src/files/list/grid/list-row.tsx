import { memo } from 'react'
import type { Resource } from '../../../../../src/domain/resource.ts'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { FileName } from '../../../kit/text/names.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { SharedMark } from '../../share/shared-mark.tsx'
import { Picture } from '../../actions/picture.tsx'
import { kindOf } from '../model/entry-kind.ts'
import type { PictureCellProps } from './entry-cell.ts'
import type { EntryText } from './entry-text.ts'
import styles from './list.module.css'

interface ListRowProps extends PictureCellProps {
  readonly start: number
  readonly narrow: boolean
}

/** One entry in the list. Clicks and keys are handled by the grid. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { entry, index, href, selected, tabStop, text, start, narrow, picture, shared, isScrolling } = props
  const broken = entry.type === 'invalid_link'
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
          onChange={ignore}
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
            {entry.isDir ? (
              <span className={styles['none']}>
                <span aria-hidden="true">—</span>
                <span className="visually-hidden">{text.t('files.folder')}</span>
              </span>
            ) : (
              <bdi className={classNames(broken && styles['broken'])}>{text.size(entry)}</bdi>
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

/** The box shows the selection; the grid changes it, because a click may carry Shift. */
function ignore(): void {
  return undefined
}
