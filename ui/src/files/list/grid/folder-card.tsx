import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { countItems } from '../../../../../src/api/files.ts'
import { useClient } from '../../../api/client-context.tsx'
import { FileName } from '../../../kit/text/names.tsx'
import { FileGlyph } from '../../../kit/icon/icon.tsx'
import type { EntryCellProps } from './entry-cell.ts'
import { Tile } from './tile.tsx'
import styles from './tiles.module.css'

interface FolderCardProps extends EntryCellProps {
  /** Says how many items there are; else when the folder was changed. */
  readonly counted: boolean
}

export const FolderCard = memo(function FolderCard(props: FolderCardProps) {
  const { entry, href, text, counted } = props
  const client = useClient()
  // Asked for cards that are seen, and again once an item has come or gone, which changes the time of the folder.
  const { data, isLoading } = useQuery({
    queryKey: ['count', entry.path, entry.modified],
    queryFn: ({ signal }) => client.call(countItems, { params: { '*': entry.path }, signal }),
    enabled: counted,
    throwOnError: false,
  })
  const said = data === undefined ? text.modified(entry) : text.t('files.items', { count: data.items })
  return (
    <Tile {...props} className={styles['folder']}>
      <FileGlyph type="folder" size={32} />
      <span className={styles['text']}>
        <a className={styles['open']} href={href} tabIndex={-1} title={entry.name} draggable={false}>
          <FileName name={entry.name} />
        </a>
        <span className={styles['meta']} title={text.exact(entry)}>
          {isLoading ? '\u00a0' : said}
        </span>
      </span>
    </Tile>
  )
})
