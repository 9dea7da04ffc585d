import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { useStore, type Store } from '../../lib/create-store.ts'
import type { AddedEntries } from '../actions/model.ts'
import { cellOf } from './grid/use-grid-handlers.ts'
import type { GridMetrics } from './grid/grid-metrics.ts'
import type { Grid } from './grid/use-grid.ts'
import { driftOf, newNamesIn, type RenderedFolder } from './model/view-change.ts'
import styles from './list-extras.module.css'

/** The entry to scroll to the middle of the view. A new object scrolls again, even to the same entry. */
export interface Reveal {
  readonly name: string
}

interface ShownEntries {
  readonly reveal: Reveal | null
  /** Selects these entries and scrolls to the first, as soon as the listing has them. */
  show(names: readonly string[]): void
}

/**
 * Selects the entries that this page adds to the folder and scrolls to them.
 *
 * @param first the entry to show when the folder opens
 */
export function useAddedEntries(
  folder: VirtualPath,
  { send, entryOf }: Grid,
  addedEntries: Store<AddedEntries | null>,
  first: string | null,
): ShownEntries {
  const added = useStore(addedEntries)
  const handled = useRef(added?.followed === true ? null : added)
  const [pending, show] = useState<readonly string[]>([])
  const [reveal, setReveal] = useState<Reveal | null>(first === null ? null : { name: first })
  useEffect(() => {
    if (added === null || added === handled.current) return
    handled.current = added
    if (added.folder !== folder) return
    show(added.names)
    if (added.followed !== true) return
    // Otherwise the next visit to the folder would show them again.
    handled.current = { ...added, followed: false }
    addedEntries.set(handled.current)
  }, [added, addedEntries, folder])
  useEffect(() => {
    const here = pending.filter((name) => entryOf(name) !== undefined)
    const [shown] = here
    if (shown === undefined) return
    const kept = added?.names === pending ? (added.kept ?? []) : []
    send({ kind: 'select', names: [...here, ...kept] })
    setReveal({ name: shown })
    show([])
  }, [added, pending, entryOf, send])
  return { reveal, show }
}

interface NewEntriesOptions {
  readonly grid: Grid
  readonly metrics: GridMetrics
  readonly scroll: RefObject<HTMLElement | null>
  /** Identifies view, sorting and filter. While it stays the same, only the content has changed. */
  readonly viewKey: string
  /** Not counted as new: `useAddedEntries` shows the entries that this page adds itself. */
  readonly addedEntries: Store<AddedEntries | null>
}

/** Milliseconds. */
const FLASH = 600

/** Keeps the visible entries in place while the folder changes. Returns the new entries that are out of view. */
export function useNewEntries({ grid, metrics, scroll, viewKey, addedEntries }: NewEntriesOptions) {
  const { view } = grid
  const own = useStore(addedEntries)
  const drawn = useMemo<RenderedFolder>(() => ({ ...view, heightOf: metrics.heightOf }), [view, metrics])
  const last = useRef({ drawn, viewKey })
  const [unseen, setUnseen] = useState<readonly string[]>([])

  useLayoutEffect(() => {
    const before = last.current
    last.current = { drawn, viewKey }
    const element = scroll.current
    if (element === null || before.drawn.names === drawn.names || before.viewKey !== viewKey) return
    if (element.scrollTop > 0) element.scrollTop += driftOf(drawn, before.drawn, element.scrollTop)
    const fresh = newNamesIn(drawn, before.drawn).filter((name) => own?.names.includes(name) !== true)
    const isShown = (name: string): boolean => flash(cellOf(element, name))
    setUnseen((known) => [...known, ...fresh].filter((name) => drawn.indexOf(name) !== -1 && !isShown(name)))
  }, [drawn, viewKey, scroll, own])

  useEffect(() => {
    const element = scroll.current
    if (element === null || unseen.length === 0) return
    const onScroll = (): void => setUnseen((names) => withoutShown(element, names))
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [scroll, unseen])

  return { unseen, markSeen: () => setUnseen([]) }
}

/** At most this many entries are checked per scroll event. */
const MAX_CHECKED = 50

function withoutShown(element: HTMLElement, names: readonly string[]): readonly string[] {
  const shown = new Set(names.slice(0, MAX_CHECKED).filter((name) => cellOf(element, name) !== null))
  return shown.size === 0 ? names : names.filter((name) => !shown.has(name))
}

/** Tints the row of a new entry once. False when it is not rendered. */
function flash(cell: HTMLElement | null): boolean {
  if (cell === null) return false
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    cell.animate([{ backgroundColor: 'var(--selected)' }, {}], { duration: FLASH, easing: 'ease-out' })
  return true
}

interface NewEntriesNoteProps extends Pick<ShownEntries, 'show'> {
  readonly unseen: readonly string[]
  readonly markSeen: () => void
}

/** Shows how many new entries are out of view, and scrolls to them. */
export function NewEntriesNote({ unseen, markSeen, show }: NewEntriesNoteProps) {
  const t = useText()
  const scrollToNew = (): void => {
    show(unseen)
    markSeen()
  }
  return (
    <div className={styles['news']}>
      <Button icon="arrow-down" onClick={scrollToNew}>
        {t('files.newItems', { count: unseen.length })}
      </Button>
    </div>
  )
}
