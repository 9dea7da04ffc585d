import type { UserView } from '../../../../../src/domain/accounts/user.ts'
import { type GridLayout, type GridLine, type Group, layoutOf } from '../model/grid-layout.ts'
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { useTheme } from '../../../kit/contexts.ts'
import { useStore } from '../../../lib/create-store.ts'
import { NARROW, useMediaQuery } from '../../../lib/hooks.ts'
import type { Resource } from '../../../../../src/domain/files/resource.ts'

export type ViewMode = UserView['viewMode']

export interface GridMetrics {
  readonly columns: number
  /** Pixels of the sticky head above the lines. */
  readonly head: number
  /** Pixels between tiles. */
  readonly gap: number
  /** Folders are low cards. False on narrow screens that show squares, where folders are squares too. */
  readonly folderCards: boolean
  /** Pixels at both sides. */
  readonly side: number
  heightOf(line: GridLine): number
}

/** The lines that are rendered. */
export interface Lines {
  /** `start` in pixels from the first line. */
  readonly shown: readonly { readonly index: number; readonly start: number; readonly size: number }[]
  /** Height of all lines in pixels, including those that are not rendered. */
  readonly height: number
  isScrolling(): boolean
  scrollTo(line: number, align?: 'center'): void
}

export interface Space {
  /** Pixels available to the listing. */
  readonly width: number
  readonly narrow: boolean
  /** Height of a list row in pixels: larger on touch screens. */
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
  const heightOf = ({ kind }: GridLine) => (kind === 'heading' ? HEADING : row)
  return { columns: 1, head, gap: 0, side: narrow ? 4 : 8, folderCards: false, heightOf }
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

interface MeasuredSpace extends Space {
  readonly height: number
}

const ROWS = { cosy: 40, compact: 32 }
const TOUCH_ROW = 56

/** The space available to the listing; null until it is measured. */
export function useSpace(element: RefObject<HTMLElement | null>): MeasuredSpace | null {
  const narrow = useMediaQuery(NARROW)
  const coarse = useMediaQuery('(pointer: coarse)')
  const density = useStore(useTheme().density)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const read = (): void => setSize({ width: measured.clientWidth, height: measured.clientHeight })
    read()
    const observer = new ResizeObserver(read)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return size && { ...size, narrow, row: narrow || coarse ? TOUCH_ROW : ROWS[density] }
}

interface FolderLayout {
  readonly metrics: GridMetrics
  readonly layout: GridLayout
  /** Lines of entries that fit on the screen. */
  readonly page: number
}

/** Lays the entries out in the available space. */
export function useLayoutOf(
  entries: readonly Resource[],
  mode: ViewMode,
  space: MeasuredSpace | null,
  groups?: readonly Group[],
): FolderLayout {
  const { width = 0, height = 0, narrow = false, row = 40 } = space ?? {}
  const metrics = useMemo(() => metricsOf(mode, { width, narrow, row }), [mode, width, narrow, row])
  const { columns } = metrics
  const layout = useMemo(
    () => layoutOf(entries, mode === 'list' ? 'list' : 'tiles', columns, groups),
    [entries, mode, columns, groups],
  )
  const line = metrics.heightOf({ kind: 'entries', start: 0, end: 1, folders: false })
  return { metrics, layout, page: Math.max(1, Math.floor(height / Math.max(1, line))) }
}
