import { type CSSProperties, type ReactNode, memo } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { GridLayout, GridLine } from '../model/grid-layout.ts'
import { type EntryCellProps, type PictureCellProps, kindOf } from './entry-cell.ts'
import type { GridMetrics, Lines, ViewMode } from './grid-metrics.ts'
import { GroupHeading } from './group-heading.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { SharedMark } from '../../share/shared-mark.tsx'
import { FileName } from '../../../kit/text/names.tsx'
import { Picture } from '../../actions/picture.tsx'
import { useQuery } from '@tanstack/react-query'
import { countItems } from '../../../../../src/api/files/files.ts'
import { useClient } from '../../../api/client.ts'
import { FileGlyph } from '../../../kit/icon/icon.tsx'
import styles from './tiles.module.css'
import pictureStyles from './picture-tile.module.css'

interface TileBodyProps {
  readonly lines: Lines
  readonly layout: GridLayout
  readonly metrics: GridMetrics
  readonly mode: ViewMode
  readonly countsItems: boolean
  titleOf(group: string): string
  cellOf(index: number): EntryCellProps | null
  /** The URL of the thumbnail; null shows the icon. */
  pictureOf(entry: Resource): string | null
}

/** Cards or pictures: the same grid with its cells wrapped into lines. */
export function TileBody({ lines, layout, metrics, mode, countsItems, titleOf, cellOf, pictureOf }: TileBodyProps) {
  const drawCell = (index: number, inFolders: boolean) => {
    const cell = cellOf(index)
    if (cell === null) return null
    const { entry } = cell
    if (inFolders && metrics.folderCards) return <FolderCard key={entry.name} {...cell} counted={countsItems} />
    const Tile = mode === 'mosaic' ? FileCard : PictureTile
    return <Tile key={entry.name} {...cell} picture={pictureOf(entry)} isScrolling={lines.isScrolling} />
  }
  return (
    <div role="rowgroup" className={styles['lines']} style={{ blockSize: lines.height }}>
      {lines.shown.map(({ index, start, size }) => {
        const line = layout.lineAt(index)
        const position = { transform: `translateY(${start}px)`, blockSize: size }
        if (line.kind === 'heading') {
          return (
            <GroupHeading
              key={line.group}
              title={titleOf(line.group)}
              className={styles['heading']}
              start={start}
              row={index + 1}
              cells={metrics.columns}
            />
          )
        }
        return (
          <div
            role="row"
            key={index}
            className={styles['line']}
            style={lineStyle(position, metrics)}
            aria-rowindex={index + 1}
          >
            {indexesOf(line).map((entry) => drawCell(entry, line.folders))}
          </div>
        )
      })}
    </div>
  )
}

function indexesOf(line: Extract<GridLine, { kind: 'entries' }>): number[] {
  return Array.from({ length: line.end - line.start }, (_, step) => line.start + step)
}

function lineStyle(position: CSSProperties, { columns, gap, side }: GridMetrics): CSSProperties {
  const gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`
  return { ...position, gridTemplateColumns, gap, paddingBlockEnd: gap, paddingInline: side }
}

interface TileProps extends EntryCellProps {
  readonly className: string | undefined
  readonly children: ReactNode
}

/** The cell of an entry with its check box. Clicks and keys are handled by the grid. */
function Tile({ entry, selected, tabStop, text, shared, className, children }: TileProps) {
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
        // The box only shows the selection. The grid changes it, because it knows whether Shift is held.
        onChange={() => undefined}
        tabIndex={-1}
        aria-label={text.t('files.select', { name: entry.name })}
      />
    </div>
  )
}

function NameLink({ entry, href, className }: Pick<TileProps, 'entry' | 'href' | 'className'>) {
  return (
    <a className={className} href={href} tabIndex={-1} title={entry.name} draggable={false}>
      <FileName name={entry.name} />
    </a>
  )
}

const FileCard = memo(function FileCard(props: PictureCellProps) {
  const { entry, text, picture, isScrolling } = props
  const broken = entry.type === 'invalid_link'
  return (
    <Tile {...props} className={styles['file']}>
      <span className={styles['picture']}>
        <Picture glyph={kindOf(entry)} size={56} src={picture} isScrolling={isScrolling} />
      </span>
      <span className={styles['text']}>
        <NameLink {...props} className={styles['open']} />
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

interface FolderCardProps extends EntryCellProps {
  /** Shows the number of items instead of the modification date. */
  readonly counted: boolean
}

const FolderCard = memo(function FolderCard(props: FolderCardProps) {
  const { entry, text, counted } = props
  const client = useClient()
  // Only rendered cards send a request. Adding or removing an item changes the modification time, and so the key.
  const { data, isLoading } = useQuery({
    queryKey: ['count', entry.path, entry.modified],
    queryFn: ({ signal }) => client.call(countItems, { params: { '*': entry.path }, signal }),
    enabled: counted,
    throwOnError: false,
  })
  const detail = data === undefined ? text.modified(entry) : text.t('files.items', { count: data.items })
  const size = text.size(entry)
  return (
    <Tile {...props} className={styles['folder']}>
      <FileGlyph type="folder" size={32} />
      <span className={styles['text']}>
        <NameLink {...props} className={styles['open']} />
        <span className={styles['meta']} title={text.exact(entry)}>
          {isLoading ? '\u00a0' : detail}
          {size && (
            <>
              {' · '}
              <bdi>{size}</bdi>
            </>
          )}
        </span>
      </span>
    </Tile>
  )
})

/** A picture with its name over it. Of all but pictures and videos the name is always visible. */
const PictureTile = memo(function PictureTile(props: PictureCellProps) {
  const { entry, picture, isScrolling } = props
  const named = !/^(image|video)$/.test(entry.type) && pictureStyles['named']
  return (
    <Tile {...props} className={classNames(pictureStyles['shot'], named)}>
      <Picture glyph={kindOf(entry)} size={56} src={picture} isScrolling={isScrolling} />
      <NameLink {...props} className={pictureStyles['caption']} />
    </Tile>
  )
})
