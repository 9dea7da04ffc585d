import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { EventName, ServerEvent } from '../../../src/domain/event.ts'

/** Up to so many entries a folder is read again once it is watched: something may have happened just before. */
const SMALL_FOLDER = 2000

/** What to ask again after an event, by the first word of the query. */
const OUTDATED: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  settings: ['settings', 'branding', 'audit'],
  server: ['server', 'audit'],
  sessions: ['sessions', 'audit'],
  shares: ['shares', 'audit'],
  users: ['users', 'account', 'audit'],
}

/** Turns what the server tells into questions to it, for what is on the screen only. */
export function createRefresh(queries: QueryClient): (event: ServerEvent) => void {
  const reading = new Set<string>()
  let greeted = false
  const again = new Set<string>()

  /** One reading at a time: to begin anew at every event would never end in a busy folder. */
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
    const shown =
      path === undefined ? undefined : queries.getQueryData<{ items?: readonly unknown[] }>(['listing', path])
    if (shown?.items !== undefined && shown.items.length <= SMALL_FOLDER) void readAgain(['listing', path])
  }

  /** What was read while the stream was still on its way may have changed since. */
  function onGreeted(): void {
    if (greeted) return
    greeted = true
    for (const word of Object.values(OUTDATED).flat()) void queries.invalidateQueries({ queryKey: [word] })
  }

  return (event) => {
    if (event.name === 'hello') {
      onGreeted()
      onWatched(event.data.folder)
    }
    if (event.name === 'folder') void readAgain(['listing', event.data.path])
    if (event.name === 'gap') void queries.invalidateQueries()
    for (const word of OUTDATED[event.name] ?? []) void queries.invalidateQueries({ queryKey: [word] })
  }
}
