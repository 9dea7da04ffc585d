import { useCallback, useEffect, useRef, useState } from 'react'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useStore, type Store } from '../../lib/create-store.ts'
import type { Arrival } from './folder-uploads.ts'
import type { Grid } from './grid/use-grid.ts'

/** The entry to bring into the middle of the view; a new object asks again. */
export interface Reveal {
  readonly name: string
}

export interface Arrivals {
  readonly reveal: Reveal | null
  /** Selects these entries and shows the first; those that the listing does not have are left out. */
  show(names: readonly string[]): boolean
}

/**
 * Selects and shows what has just arrived in this folder, as soon as the listing has it.
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
  const handled = useRef(arrival)
  const [reveal, setReveal] = useState<Reveal | null>(first === null ? null : { name: first })
  const show = useCallback(
    (names: readonly string[]) => {
      const here = names.filter((name) => entryOf(name) !== undefined)
      const [shown] = here
      if (shown === undefined) return false
      send({ kind: 'select', names: here })
      setReveal({ name: shown })
      return true
    },
    [send, entryOf],
  )
  useEffect(() => {
    if (arrival === null || arrival === handled.current || arrival.folder !== folder) return
    if (show(arrival.names)) handled.current = arrival
  }, [arrival, folder, show])
  return { reveal, show }
}
