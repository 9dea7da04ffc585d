import { matchQuery, onlineManager, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PlaceView } from '../../../src/domain/accounts/place.ts'
import { isSharedPath } from '../../../src/domain/shares/shared-folder.ts'
import { useClient } from '../api/client.ts'
import { createLiveConnection, createLiveTransport } from '../api/live-connection.ts'
import { useLiveEvent, useLiveEvents } from '../api/live-events.ts'
import { placeOfPath, places } from '../api/places.ts'
import { useSession, useSessionState, useUser } from '../api/session.ts'
import { isSending } from '../files/actions/batches/activity.ts'
import { useFileActions } from '../files/actions/file-actions-context.tsx'
import { cachedEntries, listingKey, LISTINGS } from '../files/queries/listing-query.ts'
import { otherPaneIn } from '../files/list/pane/two-panes.ts'
import { useFilesPath, useLocation } from '../lib/navigation/navigation.tsx'
import { useStore } from '../lib/create-store.ts'
import { useServices } from './services.ts'
import type { EventName, ServerEvent } from '../../../src/domain/automation/event.ts'

/** Milliseconds until a hidden window closes its connection: browsers allow six per server for all windows. */
const CLOSE_DELAY = 20_000

/** Refreshes shown data after changes by other users. Renders nothing. */
export function LiveUpdates() {
  const services = useServices()
  const client = useClient()
  const events = useLiveEvents()
  const queries = useQueryClient()
  const session = useSession()
  const { activity } = useFileActions()
  const { status } = useSessionState()
  const path = useFilesPath()
  const shown = path?.slice(0, path.lastIndexOf('/') + 1)
  const other = otherPaneIn(useLocation().search)?.path
  // In an order that does not depend on which of two panes is active.
  const [folder, beside] = [shown, other === shown ? undefined : other].sort()
  const [connection] = useState(() =>
    createLiveConnection({
      transport: createLiveTransport(client),
      notify: (event) => events.set(event),
      onReach: (isReachable) => onlineManager.setOnline(isReachable),
    }),
  )
  useEffect(() => connection.follow({ folder, beside }), [connection, folder, beside])
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return
        if (matchQuery({ queryKey: LISTINGS }, event.query)) connection.watchAgain()
      }),
    [connection, queries],
  )
  // The user's own account may have changed, and the token contains its permissions. Signed-out users have already been
  // told; without a connection the next response retries.
  useLiveEvent('users', () => void session.renew().catch(() => undefined))
  const readSettings = () => void import('./refresh-config.ts').then(({ refreshConfig }) => refreshConfig(services))
  useLiveEvent('settings', readSettings)
  useLiveEvent('gap', readSettings)
  useLiveEvent('session', ({ end }) => {
    if (end !== 'replaced') client.handleAuthHeaders({ status: 401, renewToken: null, sent: client.authHeaders() })
  })
  useEffect(() => {
    const refresh = createRefresh(queries, () => isSending(activity.batches.get()))
    return events.subscribe(() => {
      const event = events.get()
      if (event !== undefined) refresh(event)
    })
  }, [activity, events, queries])
  // May be changed in another window: the server leaves out hidden files.
  const { hideDotfiles, severalPlaces } = useUser() ?? {}
  useOnChange(String(hideDotfiles), () => void queries.invalidateQueries({ queryKey: LISTINGS }))
  // Given or taken by an administrator: paths lead elsewhere, and what was in a place that is taken is shown no more.
  const isTaken = useStore(places, (all) => isInNone(shown, all))
  useOnChange(`${severalPlaces} ${isTaken}`, () => void queries.resetQueries({ queryKey: LISTINGS }))
  useEffect(() => {
    let hidden: ReturnType<typeof setTimeout> | undefined
    const update = (): void => {
      clearTimeout(hidden)
      if (document.hidden) hidden = setTimeout(() => connection.pause(), CLOSE_DELAY)
      else connection.resume()
    }
    update()
    document.addEventListener('visibilitychange', update)
    const stopListening = onlineManager.subscribe((online) => {
      if (online) update()
    })
    return () => {
      clearTimeout(hidden)
      document.removeEventListener('visibilitychange', update)
      stopListening()
      connection.pause()
    }
    // Reconnect after a new sign-in.
  }, [connection, status])
  return null
}

/** Whether a path is in none of several places. */
function isInNone(path: string | undefined, all: readonly PlaceView[] | undefined): boolean {
  if (path === undefined || path === '/' || isSharedPath(path) || all === undefined || all.length === 0) return false
  return placeOfPath(path, all) === undefined
}

function useOnChange(value: string, onChange: () => void): void {
  const last = useRef(value)
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    if (last.current === value) return
    last.current = value
    changed()
  }, [value])
}

/** Folders up to this size are refetched once they are watched, in case something changed just before. */
const SMALL_FOLDER = 2000

/** Query keys to refetch after an event, by their first word. */
const OUTDATED: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  settings: ['settings', 'places', 'branding', 'maintenance', 'audit'],
  server: ['server', 'places', 'audit'],
  sessions: ['sessions', 'audit'],
  shares: ['shares', 'notices', 'audit'],
  users: ['users', 'places', 'groups', 'quotas', 'account', 'notices', 'audit'],
}

/**
 * Refetches the affected queries that are on screen.
 *
 * @param isChanging while this page changes many entries, which refetches every list at its end
 */
function createRefresh(queries: QueryClient, isChanging: () => boolean): (event: ServerEvent) => void {
  const reading = new Set<string>()
  let greeted = false
  const again = new Set<string>()

  /** One refetch at a time: restarting at every event would never finish in a busy folder. */
  async function readAgain(queryKey: QueryKey): Promise<void> {
    const id = JSON.stringify(queryKey)
    if (reading.has(id)) return void again.add(id)
    reading.add(id)
    do {
      again.delete(id)
      if (queries.isFetching({ queryKey }) > 0) again.add(id)
      await queries.invalidateQueries({ queryKey }, { cancelRefetch: false })
    } while (again.has(id))
    reading.delete(id)
  }

  function onWatched(path: string | undefined): void {
    const entries = path === undefined ? undefined : cachedEntries(queries, path)
    if (path !== undefined && entries !== undefined && entries.length <= SMALL_FOLDER) void readAgain(listingKey(path))
  }

  /** Data fetched before the stream was connected may be stale. */
  function onGreeted(): void {
    if (greeted) return
    greeted = true
    for (const word of Object.values(OUTDATED).flat()) void queries.invalidateQueries({ queryKey: [word] })
  }

  return (event) => {
    if (event.name === 'hello') {
      onGreeted()
      onWatched(event.data.folder)
      onWatched(event.data.beside)
    }
    if (event.name === 'folder' && !isChanging()) void readAgain(listingKey(event.data.path))
    if (event.name === 'gap') void queries.invalidateQueries()
    for (const word of OUTDATED[event.name] ?? []) void queries.invalidateQueries({ queryKey: [word] })
  }
}
