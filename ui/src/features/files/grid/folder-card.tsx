import { memo } from 'react'
import { FileName } from '../../../kit/file-name.tsx'
import { FileGlyph } from '../../../kit/icon.tsx'
import type { EntryCellProps } from './entry-cell.ts'
import { Tile } from './tile.tsx'
import styles from './tiles.module.css'

export const FolderCard = memo(function FolderCard(props: EntryCellProps) {
  const { entry, href, text } = props
  return (
    <Tile {...props} className={styles['folder']}>
      <FileGlyph type="folder" size={32} />
      <span className={styles['text']}>
        <a className={styles['open']} href={href} tabIndex={-1} title={entry.name} draggable={false}>
          <FileName name={entry.name} />
        </a>
        <span className={styles['meta']} title={text.exact(entry)}>
          {text.modified(entry)}
        </span>
      </span>
    </Tile>
  )
})
