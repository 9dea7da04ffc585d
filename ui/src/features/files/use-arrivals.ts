import { useEffect, useRef, useState } from 'react'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useStore, type Store } from '../../lib/create-store.ts'
import type { Arrival } from './folder-uploads.ts'
import type { Grid } from './grid/use-grid.ts'

/** The entry to bring into the middle of the view; a new object asks again. */
export interface Reveal {
  readonly name: string
}

/**
 * Selects and shows what has just arrived in this folder, as soon as the listing has it.
 *
 * @param first what to show when the folder opens
 */
export function useArrivals(
  folder: VirtualPath,
  grid: Grid,
  arrivals: Store<Arrival | null>,
  first: string | null,
): Reveal | null {
  const arrival = useStore(arrivals)
  const handled = useRef(arrival)
  const [reveal, setReveal] = useState<Reveal | null>(first === null ? null : { name: first })
  const { send, entryOf } = grid
  useEffect(() => {
    if (arrival === null || arrival === handled.current || arrival.folder !== folder) return
    const here = arrival.names.filter((name) => entryOf(name) !== undefined)
    const shown = here[0]
    if (shown === undefined) return
    handled.current = arrival
    send({ kind: 'select', names: here })
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the arrival comes from outside of React
    setReveal({ name: shown })
  }, [arrival, folder, send, entryOf])
  return reveal
}
