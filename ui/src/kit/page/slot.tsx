import { createContext, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import { createStore, type Store, useStore } from '../../lib/create-store.ts'

/** The places of the shell that a screen may fill. */
export type SlotName =
  | 'title'
  | 'find'
  | 'header-actions'
  | 'breadcrumb-field'
  | 'sidebar-actions'
  | 'sidebar-links'
  | 'sidebar-places'
  | 'sidebar-usage'
  | 'sidebar-settings'
  | 'hairline'
  | 'banner'
  | 'dock'
  | 'panels'

type Places = Readonly<Partial<Record<SlotName, HTMLElement>>>

const SlotContext = createContext<Store<Places> | undefined>(undefined)

export function SlotProvider({ children }: { children: ReactNode }) {
  const [places] = useState(() => createStore<Places>({}))
  return <SlotContext value={places}>{children}</SlotContext>
}

function usePlaces(): Store<Places> {
  const places = useContext(SlotContext)
  if (places === undefined) throw new Error('SlotProvider is missing above this component')
  return places
}

interface SlotProps {
  name: SlotName
  className?: string | undefined
}

/** An empty place; what a `Fill` of the same name holds appears here. */
export function Slot({ name, className }: SlotProps) {
  const places = usePlaces()
  const [attach] = useState(() => (element: HTMLDivElement | null) => {
    places.set((all) => {
      const { [name]: _gone, ...others } = all
      return element ? { ...others, [name]: element } : others
    })
  })
  return <div ref={attach} className={className} />
}

interface FillProps {
  slot: SlotName
  children: ReactNode
}

/** Puts its children into a place of the shell, for as long as it is rendered. */
export function Fill({ slot, children }: FillProps) {
  const place = useStore(usePlaces(), (all) => all[slot])
  return place ? createPortal(children, place) : null
}
