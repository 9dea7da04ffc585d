import type { UserView } from '../../../../../src/domain/user.ts'
import type { GridLine } from '../model/grid-layout.ts'

export type ViewMode = UserView['viewMode']

export interface GridMetrics {
  readonly columns: number
  /** Pixels of the sticky head above the lines. */
  readonly head: number
  /** Pixels between the start of what scrolls and the grid; 0 unless told. */
  readonly above?: number
  /** Pixels between tiles. */
  readonly gap: number
  /** Folders are low cards; where three squares fill a narrow screen they are squares too. */
  readonly folderCards: boolean
  /** Pixels at both sides. */
  readonly side: number
  heightOf(line: GridLine): number
}

export interface Space {
  /** Pixels of the listing. */
  readonly width: number
  readonly narrow: boolean
  /** Pixels of a row: 40, or 56 under a finger. */
  readonly row: number
}

const CARD_WIDTH = 280
const PICTURE_WIDTH = 196
const FOLDER_CARD = 66
const CARD_TEXT = 61
const HEADING = 36
const LIST_HEAD = 40

export function metricsOf(mode: ViewMode, space: Space): GridMetrics {
  if (mode === 'list') return listMetrics(space)
  return mode === 'mosaic' ? cardMetrics(space) : pictureMetrics(space)
}

function listMetrics({ narrow, row }: Space): GridMetrics {
  const head = narrow ? 0 : LIST_HEAD
  return { columns: 1, head, gap: 0, side: narrow ? 4 : 8, folderCards: false, heightOf: () => row }
}

function cardMetrics({ width, narrow }: Space): GridMetrics {
  const columns = narrow ? 2 : Math.max(1, Math.round(width / CARD_WIDTH))
  const gap = narrow ? 8 : 12
  const side = narrow ? 12 : 20
  const picture = Math.round((cellWidth(width, columns, gap, side) * 10) / 16)
  const heightOf = (line: GridLine): number => {
    if (line.kind === 'heading') return HEADING
    return (line.folders ? FOLDER_CARD : picture + CARD_TEXT) + gap
  }
  return { columns, head: 0, gap, side, folderCards: true, heightOf }
}

function pictureMetrics({ width, narrow }: Space): GridMetrics {
  const gap = narrow ? 2 : 8
  const side = narrow ? 0 : 20
  const columns = narrow ? 3 : Math.max(1, Math.floor((width - 2 * side + gap) / (PICTURE_WIDTH + gap)))
  const cell = cellWidth(width, columns, gap, side)
  const picture = narrow ? cell : Math.round((cell * 3) / 4)
  const heightOf = (line: GridLine): number => {
    if (line.kind === 'heading') return HEADING
    return (line.folders && !narrow ? FOLDER_CARD : picture) + gap
  }
  return { columns, head: 0, gap, side, folderCards: !narrow, heightOf }
}

function cellWidth(width: number, columns: number, gap: number, side: number): number {
  return Math.max(0, (width - 2 * side - (columns - 1) * gap) / columns)
}
