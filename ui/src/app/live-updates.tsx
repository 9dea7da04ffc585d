import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { createLiveConnection } from '../api/live-connection.ts'
import { useLiveEvent, useLiveEvents } from '../api/live-events.ts'
import { createLiveTransport } from '../api/live-transport.ts'
import { useSession, useSessionState, useUser } from '../api/session-context.tsx'
import { useFilesPath } from '../lib/navigation.tsx'
import { useServices } from './services.ts'
import { createRefresh } from './refresh.ts'

/** How long a hidden window keeps its connection, in milliseconds: browsers have six for all windows of a server. */
const HIDDEN_FOR = 20_000

/** Keeps what the page shows up to date with what others do. Draws nothing. */
export function LiveUpdates() {
  const services = useServices()
  const client = useClient()
  const events = useLiveEvents()
  const queries = useQueryClient()
  const session = useSession()
  const { status } = useSessionState()
  const path = useFilesPath()
  const folder = path?.slice(0, path.lastIndexOf('/') + 1)
  const [connection] = useState(() =>
    createLiveConnection({
      transport: createLiveTransport(client),
      tell: (event) => events.set(event),
      onReach: (isThere) => onlineManager.setOnline(isThere),
    }),
  )
  useEffect(() => connection.follow(folder), [connection, folder])
  // The own account may be another one, and its rights are in the token.
  useLiveEvent('users', () => void session.renew().catch(ignore))
  useLiveEvent(
    'settings',
    () => void import('./refresh-branding.ts').then(({ refreshBranding }) => refreshBranding(services)),
  )
  useLiveEvent('session', ({ end }) => {
    if (end !== 'replaced') client.heed({ status: 401, renewToken: null, sent: client.authHeaders() })
  })
  useEffect(() => {
    const refresh = createRefresh(queries)
    return events.subscribe(() => {
      const event = events.get()
      if (event !== undefined) refresh(event)
    })
  }, [events, queries])
  // Another window may have changed it; the server leaves those files out.
  const hidesDotfiles = useUser()?.hideDotfiles
  const listedWith = useRef(hidesDotfiles)
  useEffect(() => {
    if (listedWith.current === hidesDotfiles) return
    listedWith.current = hidesDotfiles
    void queries.invalidateQueries({ queryKey: ['listing'] })
  }, [queries, hidesDotfiles])
  useEffect(() => {
    let hidden: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      clearTimeout(hidden)
      if (document.hidden) hidden = setTimeout(() => connection.pause(), HIDDEN_FOR)
      else connection.resume()
    }
    look()
    document.addEventListener('visibilitychange', look)
    const stopListening = onlineManager.subscribe((online) => {
      if (online) look()
    })
    return () => {
      clearTimeout(hidden)
      document.removeEventListener('visibilitychange', look)
      stopListening()
      connection.pause()
    }
    // Users who sign in again are told again.
  }, [connection, status])
  return null
}

/** Signed-out users have been told already, and without a connection the next answer asks again. */
function ignore(): void {
  return undefined
}
