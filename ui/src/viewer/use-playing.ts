import { useMemo, useState } from 'react'

/** Whoever has started one film or song has started the next one too. */
export interface Playing {
  readonly wanted: boolean
  want(on: boolean): void
}

export function usePlaying(): Playing {
  const [wanted, want] = useState(false)
  return useMemo(() => ({ wanted, want }), [wanted])
}
