import { memo } from 'react'
import type { PictureCellProps } from './entry-cell.ts'
import { FileName } from '../../../kit/text/names.tsx'
import { Picture } from '../../actions/picture.tsx'
import { kindOf } from '../model/entry-kind.ts'
import { Tile } from './tile.tsx'
import styles from './picture-tile.module.css'

/** A picture with its name over it. What has no picture shows its glyph, and its name all the time. */
export const PictureTile = memo(function PictureTile(props: PictureCellProps) {
  const { entry, href, picture, isScrolling } = props
  return (
    <Tile {...props} className={styles['shot']}>
      <Picture glyph={kindOf(entry)} size={56} src={picture} isScrolling={isScrolling} />
      <a className={styles['caption']} href={href} tabIndex={-1} title={entry.name} draggable={false}>
        <FileName name={entry.name} />
      </a>
    </Tile>
  )
})
