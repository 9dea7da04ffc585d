import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { getPreview } from '../../../../src/api/files/previews.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { usePermissionsAt } from '../../api/permissions.ts'
import { useUser } from '../../api/session.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText, useLocale } from '../../i18n/use-text.tsx'
import { parentFolder } from '../../lib/navigation/app-path.ts'
import { createFormatWhen } from '../../lib/format.ts'
import { useLongPress } from '../../kit/keyboard/use-long-press.ts'
import type { FileItem } from '../actions/model.ts'
import { HitRow, createHighlight, hitAt, mayBecomeDrag, useHitDrag } from './hit-row.tsx'
import { type HitSelection, toFileItem } from './hits.ts'
import styles from './search.module.css'
import type { CachedSearch } from './searches.ts'
import type { FoundEntry } from './search-run.ts'

/** Coordinates in the window. */
export interface Point {
  readonly x: number
  readonly y: number
}

interface HitListProps {
  readonly id: string
  readonly run: CachedSearch
  readonly hits: readonly FoundEntry[]
  readonly selection: HitSelection
  readonly onSelect: (selection: HitSelection) => void
  readonly onOpen: (entry: FoundEntry) => void
  readonly onMenu: (selection: HitSelection, at: Point) => void
  /** The mouse button was released: the field takes the focus back. */
  readonly onRelease: () => void
  /** The dragged hits were moved to another folder. */
  readonly onMoved: () => void
}

const ROW = 52
const WITH_THUMBNAIL = /\.(png|jpe?g|jfif|gif|webp|avif)$/i

/** The list of hits. Renders only those in view. */
export function HitList(props: HitListProps) {
  const { id, run, hits, selection, onSelect, onOpen, onMenu, onRelease, onMoved } = props
  const t = useText()
  const pictureOf = usePictures()
  const text = useHitText()
  const scroll = useRef<HTMLDivElement>(null)
  const highlight = useMemo(() => createHighlight(run.query), [run])
  const rows = useVirtualizer<HTMLElement, HTMLElement>({
    count: hits.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 6,
    paddingStart: 6,
    paddingEnd: 6,
    scrollPaddingStart: 6,
    scrollPaddingEnd: 6,
    initialOffset: run.lastView.offset,
    // The active option must be rendered, because the field refers to it.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(0, startIndex - overscan)
      const last = Math.min(count - 1, endIndex + overscan)
      const visible = Array.from({ length: last - first + 1 }, (_, step) => first + step)
      const { active } = selection
      if (active < 0 || active >= count || (active >= first && active <= last)) return visible
      return active < first ? [active, ...visible] : [...visible, active]
    },
  })
  useShownActive(selection.active, (index) => rows.scrollToIndex(index), run)
  useLayoutEffect(() => {
    const element = scroll.current
    return () => {
      run.lastView.offset = element?.scrollTop ?? 0
    }
  }, [run])

  const selectAt = (index: number): HitSelection => {
    const next = selection.selected.has(index) ? selection : selection.moveTo(index)
    onSelect(next)
    return next
  }
  const press = useLongPress((index) => onSelect(selection.toggle(Number(index))))
  useHitDrag({
    list: scroll,
    itemsToDrag: (dragged) => itemsOf(selectAt(dragged), hits),
    onEnd: (moved) => {
      onRelease()
      if (moved) onMoved()
    },
  })

  const handleClick = (event: MouseEvent) => {
    const index = hitAt(event)
    const entry = index === undefined ? undefined : hits[index]
    if (index === undefined || entry === undefined || press.consumed()) return
    // Touch has no Ctrl or Shift: once a hit is selected, each tap selects.
    const taps = selection.selected.size > 0 && isTouch(event.nativeEvent)
    if (event.shiftKey) onSelect(selection.extendTo(index))
    else if (event.ctrlKey || event.metaKey || taps) onSelect(selection.toggle(index))
    else onOpen(entry)
  }
  const handleMenu = (event: MouseEvent) => {
    event.preventDefault()
    const index = hitAt(event)
    if (index === undefined || press.active()) return
    onMenu(selectAt(index), { x: event.clientX, y: event.clientY })
  }
  return (
    <div
      ref={scroll}
      id={id}
      className={styles['hits']}
      role="listbox"
      aria-label={t('search.results')}
      aria-multiselectable="true"
      // The field keeps the focus, or gets it back after a press that may become a drag.
      onMouseDown={(event) => mayBecomeDrag(event) || event.preventDefault()}
      onMouseUp={(event) => mayBecomeDrag(event) && onRelease()}
      onPointerDown={(event) => press.start(event, hitAt(event)?.toString() ?? null, false)}
      onPointerMove={press.move}
      onPointerUp={press.cancel}
      onPointerCancel={press.cancel}
      onClick={handleClick}
      onContextMenu={handleMenu}
    >
      <div role="presentation" style={{ blockSize: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = hits[index]
          return (
            entry && (
              <HitRow
                key={entry.path}
                id={`${id}-${index}`}
                entry={entry}
                index={index}
                count={hits.length}
                start={start}
                active={index === selection.active}
                selected={selection.selected.size > 0 ? selection.selected.has(index) : index === selection.active}
                location={locationWithin(run.folder, entry.path) || t('search.thisFolder')}
                {...text(entry)}
                picture={entry.isDir ? undefined : pictureOf(entry.path)}
                highlight={highlight}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

function itemsOf(selection: HitSelection, hits: readonly FoundEntry[]): FileItem[] {
  return selection.targets().flatMap((index) => {
    const entry = hits[index]
    return entry === undefined ? [] : [toFileItem(entry)]
  })
}

function isTouch(event: globalThis.MouseEvent): boolean {
  return event instanceof globalThis.PointerEvent && event.pointerType === 'touch'
}

/** Scrolls to the hit that a key has moved to. A list that is shown again keeps its scroll position. */
function useShownActive(active: number, show: (index: number) => void, run: CachedSearch): void {
  const shown = useRef(active)
  useEffect(() => {
    run.lastView.active = active
    if (shown.current === active) return
    shown.current = active
    if (active >= 0) show(active)
  })
}

/** Formats size and time of a hit, as listings do. */
function useHitText(): (entry: FoundEntry) => { size: string; when: string; exact: string } {
  const format = useFormat()
  const locale = useLocale()
  const exactDates = useUser()?.dateFormat ?? false
  const [now] = useState(() => new Date())
  const whenOf = useMemo(() => createFormatWhen(locale), [locale])
  return ({ isDir, details }) => {
    if (details === undefined) return { size: '', when: '', exact: '' }
    const date = new Date(details.modified)
    const exact = format.dateTime(date)
    return { size: isDir ? '—' : format.bytes(details.size), when: exactDates ? exact : whenOf(date, now), exact }
  }
}

function usePictures(): (path: string) => string | undefined {
  const client = useClient()
  const { EnableThumbs } = useConfig()
  const permissionsAt = usePermissionsAt()
  return (path) =>
    EnableThumbs && permissionsAt(path).read && WITH_THUMBNAIL.test(path)
      ? client.url(getPreview, { params: { size: 'thumb', '*': path } })
      : undefined
}

function locationWithin(folder: string, path: string): string {
  return parentFolder(path).slice(folder.length, -1).split('/').filter(Boolean).join(' / ')
}
