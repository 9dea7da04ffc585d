import { useEffect } from 'react'
import type { EventName, ServerEvent } from '../../../src/domain/automation/event.ts'
import type { Store } from '../lib/create-store.ts'
import { requiredContext, useLatest } from '../lib/hooks.ts'

/** The latest server event. Subscribers see every event. */
export type LiveEvents = Store<ServerEvent | undefined>

type DataOf<Name extends EventName> = Extract<ServerEvent, { name: Name }>['data']

export const [LiveEventsProvider, useLiveEvents] = requiredContext<LiveEvents>('LiveEvents')

/** Subscribes to events of one name: `useLiveEvent('job', (job) => …)`. After a "gap" some were lost: refetch. */
export function useLiveEvent<Name extends EventName>(name: Name, listener: (data: DataOf<Name>) => void): void {
  const events = useLiveEvents()
  const latest = useLatest(listener)
  useEffect(() => {
    return events.subscribe(() => {
      const event = events.get()
      if (event?.name === name) latest.current(event.data as DataOf<Name>)
    })
  }, [events, name, latest])
}
