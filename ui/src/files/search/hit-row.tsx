import { type MouseEvent, type RefObject, memo, useEffect, useState } from 'react'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { lastSegment } from '../../lib/navigation/app-path.ts'
import { classNames } from '../../lib/class-names.ts'
import { plainName } from '../../lib/plain-name.ts'
import { glyphOf } from '../actions/picture.tsx'
import type { FoundEntry } from './search-run.ts'
import { toFileItem } from './hits.ts'
import { foldOfTerm, parseSearchQuery } from '../../../../src/domain/files/search-query.ts'
import { rangesOf } from '../../../../src/domain/text/find-in-text.ts'
import { useDragEntries } from '../actions/drag/drag-entries.ts'
import type { FileItem } from '../actions/model.ts'
import styles from './search.module.css'
import { useLatest } from '../../lib/hooks.ts'

interface HitRowProps {
  readonly id: string
  readonly entry: FoundEntry
  readonly index: number
  readonly count: number
  readonly start: number
  readonly active: boolean
  readonly selected: boolean
  /** "Camera / tests", from the folder that was searched. */
  readonly location: string
  readonly picture: string | undefined
  /** "6.2 MiB" and "3 days ago", with the exact time; empty if unknown. */
  readonly size: string
  readonly when: string
  readonly exact: string
  readonly highlight: (name: string) => readonly NamePart[]
}

/** One hit. The list handles its clicks. */
export const HitRow = memo(function HitRow(props: HitRowProps) {
  const { id, entry, index, count, start, active, selected, location, picture, size, when, exact, highlight } = props
  const name = lastSegment(entry.path)
  return (
    <div
      id={id}
      role="option"
      className={classNames(styles['hit'], active && styles['active'])}
      style={{ transform: `translateY(${start}px)` }}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      data-hit={index}
      title={entry.path}
    >
      <Glyph entry={entry} picture={picture} />
      <span className={styles['text']}>
        <bdi className={classNames('clip', styles['name'])}>
          {highlight(plainName(name)).map(({ text, hit }, part) => (hit ? <mark key={part}>{text}</mark> : text))}
        </bdi>
        <bdi className={classNames('clip', styles['location'])}>{plainName(location)}</bdi>
      </span>
      <span className={styles['meta']}>
        <bdi>{size}</bdi>
        <time dateTime={entry.details?.modified} title={exact}>
          {when}
        </time>
      </span>
    </div>
  )
})

interface GlyphProps {
  readonly entry: FoundEntry
  readonly picture: string | undefined
}

function Glyph({ entry, picture }: GlyphProps) {
  const [broken, setBroken] = useState<string>()
  if (picture !== undefined && picture !== broken) {
    return <img className={styles['picture']} src={picture} alt="" loading="lazy" onError={() => setBroken(picture)} />
  }
  return <FileGlyph type={glyphOf(toFileItem(entry))} size={32} />
}

/** The index of the hit at an event's target. */
export function hitAt({ target }: { readonly target: EventTarget | null }): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-hit]') : null
  return row === null ? undefined : Number(row.dataset['hit'])
}

interface NamePart {
  readonly text: string
  /** It matches the query. */
  readonly hit: boolean
}

/** Splits names into parts that match the words of a query and parts that do not. */
export function createHighlight(query: string): (name: string) => readonly NamePart[] {
  const parsed = parseSearchQuery(query)
  return (name) => {
    const found = parsed.terms.flatMap((term) => rangesOf(name, term, foldOfTerm(term, parsed)))
    return partsOf(
      name,
      found.sort(([a, b], [c, d]) => a - c || d - b),
    )
  }
}

/** @param ranges in order; one that overlaps the one before is ignored */
function partsOf(name: string, ranges: readonly (readonly [number, number])[]): NamePart[] {
  const parts: NamePart[] = []
  let end = 0
  for (const [from, to] of ranges) {
    if (from < end) continue
    if (from > end) parts.push({ text: name.slice(end, from), hit: false })
    parts.push({ text: name.slice(from, to), hit: true })
    end = to
  }
  if (end < name.length) parts.push({ text: name.slice(end), hit: false })
  return parts
}

interface HitDragOptions {
  readonly list: RefObject<HTMLElement | null>
  /** Selects a hit and returns the items to drag. */
  readonly itemsToDrag: (index: number) => readonly FileItem[]
  readonly onEnd: (moved: boolean) => void
}

/** Lets hits be dragged out of the list by a mouse, as entries out of a listing. */
export function useHitDrag(options: HitDragOptions): void {
  const drag = useDragEntries()
  const latest = useLatest(options)
  const { list } = options
  useEffect(() => {
    const element = list.current
    if (element === null || drag === null) return
    const listening = new AbortController()
    const press = ({ target, pointerType }: PointerEvent): void => {
      const row = rowAt(target)
      if (row !== null) row.draggable = pointerType === 'mouse'
    }
    const start = (event: DragEvent): void => {
      const index = hitAt(event)
      if (index !== undefined && event.dataTransfer !== null)
        drag(event.dataTransfer, latest.current.itemsToDrag(index))
    }
    const end = ({ dataTransfer }: DragEvent): void => latest.current.onEnd(dataTransfer?.dropEffect === 'move')
    element.addEventListener('pointerdown', press, listening)
    element.addEventListener('dragstart', start, listening)
    element.addEventListener('dragend', end, listening)
    return () => listening.abort()
  }, [list, drag, latest])
}

/** True for the left mouse button on a hit. Preventing the default would keep the focus, but also prevent the drag. */
export function mayBecomeDrag({ button, target }: MouseEvent): boolean {
  return button === 0 && rowAt(target)?.draggable === true
}

function rowAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-hit]') : null
}
