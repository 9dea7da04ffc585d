import { type ReactNode, useState } from 'react'
import { createStore, type Store, useStore } from '../../lib/create-store.ts'
import { requiredContext } from '../../lib/hooks.ts'

/** `const announce = useAnnounce(); announce('12 items')` – read by screen readers, not shown. */
const [AnnouncerContext, useAnnounce] = requiredContext<(text: string) => void>('Announcer')
export { useAnnounce }

/** One polite live region for the whole page: many of them talk over each other. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [message] = useState(() => createStore(''))
  // Screen readers skip a text that has not changed, so a repeated one gets an extra space.
  const [announce] = useState(() => (text: string) => message.set((said) => (said === text ? `${text}\u00A0` : text)))
  return (
    <AnnouncerContext value={announce}>
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
