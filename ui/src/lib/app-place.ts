import type { RouterHistory } from '@tanstack/react-router'
import { createContext, useContext } from 'react'

/** Where the page is: what links and small parts need to know of the router, which visitors of public links do without. */
export interface AppPlace {
  /** The base URL, as addresses of the app begin with it. */
  readonly basepath: string
  readonly history: RouterHistory
}

const PlaceContext = createContext<AppPlace | undefined>(undefined)

export const PlaceProvider = PlaceContext.Provider

export function usePlace(): AppPlace {
  const place = useContext(PlaceContext)
  if (place === undefined) throw new Error('PlaceProvider is missing above this component')
  return place
}
