import { createContext, useContext } from 'react'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'

export type Side = 'start' | 'end'

/** The folder beside the active one. The address has it as a parameter that names its side: "/files/a/?end=/b/". */
export interface OtherPane {
  readonly side: Side
  /** Ends with a slash. */
  readonly path: string
}

export function otherPaneIn(search: string): OtherPane | undefined {
  const values = new URLSearchParams(search)
  const side = values.has('end') ? 'end' : 'start'
  const path = values.get(side)
  return path?.startsWith('/') ? { side, path: path.replace(/\/*$/, '/') } : undefined
}

/** What a folder knows of the panes. */
interface Pane {
  /** Keys, the clipboard and what is outside of the panes belong to the active one. */
  readonly isActive: boolean
  /** The folder beside this one. */
  readonly other?: VirtualPath | undefined
  activate?(): void
  /** Whether what happens at an element is for this pane. Outside of all panes, it is for the active one. */
  takes?(target: EventTarget | null): boolean
}

const PaneContext = createContext<Pane>({ isActive: true })
export { PaneContext as PaneProvider }

export function usePane(): Pane {
  return useContext(PaneContext)
}
