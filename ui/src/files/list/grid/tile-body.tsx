import { useCallback, type CSSProperties } from 'react'
import type { Resource } from '../../../../../src/domain/resource.ts'
import { useText } from '../../../i18n/use-text.tsx'
import type { GridLayout, GridLine } from '../model/grid-layout.ts'
import type { EntryCellProps } from './entry-cell.ts'
import type { GridMetrics, ViewMode } from './grid-metrics.ts'
import { FileCard } from './file-card.tsx'
import { FolderCard } from './folder-card.tsx'
import { PictureTile } from './picture-tile.tsx'
import type { Lines } from './use-lines.ts'
import styles from './tiles.module.css'

interface TileBodyProps {
  readonly lines: Lines
  readonly layout: GridLayout
  readonly metrics: GridMetrics
  readonly mode: ViewMode
  readonly countsItems: boolean
  cellOf(index: number): EntryCellProps | null
  /** The address of a small picture; null draws the glyph. */
  pictureOf(entry: Resource): string | null
}

/** Cards or pictures: the same grid with its cells wrapped into lines. */
export function TileBody({ lines, layout, metrics, mode, countsItems, cellOf, pictureOf }: TileBodyProps) {
  const t = useText()
  const isScrolling = useCallback(() => lines.isScrolling, [lines])
  const drawCell = (index: number, inFolders: boolean) => {
    const cell = cellOf(index)
    if (cell === null) return null
    const { entry } = cell
    if (inFolders && metrics.folderCards) return <FolderCard key={entry.name} {...cell} counted={countsItems} />
    const Tile = mode === 'mosaic' ? FileCard : PictureTile
    return <Tile key={entry.name} {...cell} picture={pictureOf(entry)} isScrolling={isScrolling} />
  }
  const margin = lines.options.scrollMargin
  return (
    <div role="rowgroup" className={styles['lines']} style={{ blockSize: lines.getTotalSize() }}>
      {lines.getVirtualItems().map(({ index, start, size }) => {
        const line = layout.lineAt(index)
        const place = { transform: `translateY(${start - margin}px)`, blockSize: size }
        if (line.kind === 'heading') {
          return (
            <div role="row" key={line.group} className={styles['heading']} style={place} aria-rowindex={index + 1}>
              <div role="gridcell" aria-colspan={metrics.columns}>
                <h2>{t(line.group === 'folders' ? 'files.folders' : 'files.files')}</h2>
              </div>
            </div>
          )
        }
        return (
          <div
            role="row"
            key={index}
            className={styles['line']}
            style={lineStyle(place, metrics)}
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

function lineStyle(place: CSSProperties, { columns, gap, side }: GridMetrics): CSSProperties {
  const gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`
  return { ...place, gridTemplateColumns, gap, paddingBlockEnd: gap, paddingInline: side }
}
