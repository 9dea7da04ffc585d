import { createContext, type ReactNode, useContext, useState } from 'react'
import { createStore, type Store, useStore } from '../lib/create-store.ts'

const AnnouncerContext = createContext<Store<string> | undefined>(undefined)

/** One polite live region for the whole page: many of them talk over each other. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [message] = useState(() => createStore(''))
  return (
    <AnnouncerContext value={message}>
      {children}
      <LiveRegion message={message} />
    </AnnouncerContext>
  )
}

function LiveRegion({ message }: { message: Store<string> }) {
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {useStore(message)}
    </div>
  )
}

/** `const announce = useAnnounce(); announce('12 items')` – said by screen readers, seen by nobody. */
export function useAnnounce(): (text: string) => void {
  const message = useContext(AnnouncerContext)
  if (message === undefined) throw new Error('AnnouncerProvider is missing above this component')
  return message.set
}
