import { memo } from 'react'
import { FileName } from '../../../kit/text/names.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { Picture } from '../../actions/picture.tsx'
import { kindOf } from '../model/entry-kind.ts'
import type { PictureCellProps } from './entry-cell.ts'
import { Tile } from './tile.tsx'
import styles from './tiles.module.css'

export const FileCard = memo(function FileCard(props: PictureCellProps) {
  const { entry, href, text, picture, isScrolling } = props
  const broken = entry.type === 'invalid_link'
  return (
    <Tile {...props} className={styles['file']}>
      <span className={styles['picture']}>
        <Picture glyph={kindOf(entry)} size={56} src={picture} isScrolling={isScrolling} />
      </span>
      <span className={styles['text']}>
        <a className={styles['open']} href={href} tabIndex={-1} title={entry.name} draggable={false}>
          <FileName name={entry.name} />
        </a>
        <span className={styles['meta']} title={text.exact(entry)}>
          {!entry.isDir && (
            <>
              <bdi className={classNames(broken && styles['broken'])}>{text.size(entry)}</bdi>
              {' · '}
            </>
          )}
          <bdi>{text.modified(entry)}</bdi>
        </span>
      </span>
    </Tile>
  )
})
