import { useEffect, useRef, useState } from 'react'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useStore, type Store } from '../../lib/create-store.ts'
import type { Arrival } from '../actions/work.ts'
import type { Grid } from './grid/use-grid.ts'

/** The entry to bring into the middle of the view; a new object asks again. */
export interface Reveal {
  readonly name: string
}

export interface Arrivals {
  readonly reveal: Reveal | null
  /** Selects these entries and shows the first, as soon as the listing has them. */
  show(names: readonly string[]): void
}

/**
 * Selects and shows what has just arrived in this folder.
 *
 * @param first what to show when the folder opens
 */
export function useArrivals(
  folder: VirtualPath,
  { send, entryOf }: Grid,
  arrivals: Store<Arrival | null>,
  first: string | null,
): Arrivals {
  const arrival = useStore(arrivals)
  const handled = useRef(arrival?.followed === true ? null : arrival)
  const [wanted, show] = useState<readonly string[]>([])
  const [reveal, setReveal] = useState<Reveal | null>(first === null ? null : { name: first })
  useEffect(() => {
    if (arrival === null || arrival === handled.current) return
    handled.current = arrival
    if (arrival.folder !== folder) return
    show(arrival.names)
    if (arrival.followed !== true) return
    // Only the first visit of the folder shows them.
    handled.current = { ...arrival, followed: false }
    arrivals.set(handled.current)
  }, [arrival, arrivals, folder])
  useEffect(() => {
    const here = wanted.filter((name) => entryOf(name) !== undefined)
    const [shown] = here
    if (shown === undefined) return
    send({ kind: 'select', names: here })
    setReveal({ name: shown })
    show([])
  }, [wanted, entryOf, send])
  return { reveal, show }
}
