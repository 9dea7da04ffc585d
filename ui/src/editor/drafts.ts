import { createStore, del, delMany, entries, get, keys, set, type UseStore } from 'idb-keyval'
import { isOutdated, readDraft, type Draft } from './model/draft.ts'

/** Texts that are not saved yet, kept in this browser for each account and file. */
export interface Drafts {
  read(path: string): Promise<Draft | undefined>
  write(path: string, draft: Draft): Promise<void>
  remove(path: string): Promise<void>
  /** Removes all of the account. */
  clear(): Promise<void>
}

interface DraftsOf {
  readonly baseUrl: string
  readonly userId: number
}

/** Where the browser stores nothing, no draft is found and writing one fails. */
export function createDrafts({ baseUrl, userId }: DraftsOf): Drafts {
  const store = createStore('filemgr-drafts', 'drafts')
  const keyOf = (path: string): string => JSON.stringify([baseUrl, userId, path])
  return {
    async read(path) {
      const kept = await get<unknown>(keyOf(path), store).catch(ignoreRefusal)
      await removeOutdated(store).catch(ignoreRefusal)
      return readDraft(kept)
    },
    write: (path, draft) => set(keyOf(path), draft, store),
    remove: (path) => del(keyOf(path), store).catch(ignoreRefusal),
    async clear() {
      const own = JSON.stringify([baseUrl, userId]).slice(0, -1)
      const all = await keys<string>(store).catch(ignoreRefusal)
      await delMany(
        (all ?? []).filter((key) => key.startsWith(`${own},`)),
        store,
      ).catch(ignoreRefusal)
    },
  }
}

async function removeOutdated(store: UseStore): Promise<void> {
  const now = Date.now()
  for (const [key, value] of await entries<IDBValidKey, unknown>(store)) {
    if (isOutdated(readDraft(value), now)) await del(key, store)
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (error instanceof DOMException) return undefined
  throw error
}
