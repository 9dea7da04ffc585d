import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useStore, type Store } from '../../../lib/create-store.ts'
import type { Arrival } from '../../actions/work.ts'
import { cellOf } from '../grid/drawn-cells.ts'
import type { GridMetrics } from '../grid/grid-metrics.ts'
import type { Grid } from '../grid/use-grid.ts'
import { driftOf, newcomersIn, type DrawnFolder } from '../model/view-change.ts'

interface NewcomersOptions {
  readonly grid: Grid
  readonly metrics: GridMetrics
  readonly scroll: RefObject<HTMLElement | null>
  /** While it stays the same, the folder is shown in the same way: only its content changes. */
  readonly way: string
  /** What the user has brought here himself is no news. */
  readonly arrivals: Store<Arrival | null>
}

const FLASH = 600

/** Keeps the scroll where it is while the folder changes under it. Answers with what is new and out of sight. */
export function useNewcomers({ grid, metrics, scroll, way, arrivals }: NewcomersOptions) {
  const { view } = grid
  const own = useStore(arrivals)
  const drawn = useMemo<DrawnFolder>(() => ({ ...view, heightOf: metrics.heightOf }), [view, metrics])
  const last = useRef({ drawn, way })
  const [unseen, setUnseen] = useState<readonly string[]>([])

  useLayoutEffect(() => {
    const before = last.current
    last.current = { drawn, way }
    const element = scroll.current
    if (element === null || before.drawn.names === drawn.names || before.way !== way) return
    if (element.scrollTop > 0) element.scrollTop += driftOf(drawn, before.drawn, element.scrollTop)
    const fresh = newcomersIn(drawn, before.drawn).filter((name) => own?.names.includes(name) !== true)
    const isShown = (name: string): boolean => flash(cellOf(element, name))
    setUnseen((known) => [...known, ...fresh].filter((name) => drawn.indexOf(name) !== -1 && !isShown(name)))
  }, [drawn, way, scroll, own])

  useEffect(() => {
    const element = scroll.current
    if (element === null || unseen.length === 0) return
    const look = (): void => setUnseen((names) => withoutShown(element, names))
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [scroll, unseen])

  return { unseen, seen: () => setUnseen([]) }
}

/** Up to this many are looked for at each step of scrolling. */
const LOOKED_FOR = 50

function withoutShown(element: HTMLElement, names: readonly string[]): readonly string[] {
  const shown = new Set(names.slice(0, LOOKED_FOR).filter((name) => cellOf(element, name) !== null))
  return shown.size === 0 ? names : names.filter((name) => !shown.has(name))
}

/** Tints a new row once. Says whether there is one. */
function flash(cell: HTMLElement | null): boolean {
  if (cell === null) return false
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    cell.animate([{ backgroundColor: 'var(--selected)' }, {}], { duration: FLASH, easing: 'ease-out' })
  return true
}
