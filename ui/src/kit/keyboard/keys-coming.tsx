import { createContext, useContext, useEffect } from 'react'
import type { EarlyInput } from './early-input.ts'

const EarlyInputContext = createContext<EarlyInput | undefined>(undefined)

export const EarlyInputProvider = EarlyInputContext.Provider

interface KeysComingProps {
  /** Everything that is typed is for what comes, as for a dialog; else only the shortcuts that nobody hears yet. */
  readonly all?: boolean
  readonly onKept?: () => void
}

/** Stands in the place of code that is being fetched: what is typed for it meanwhile is kept, and reaches it. */
export function KeysComing({ all = false, onKept }: KeysComingProps) {
  const early = useContext(EarlyInputContext)
  useEffect(() => early?.expect(all, onKept), [early, all, onKept])
  return null
}
