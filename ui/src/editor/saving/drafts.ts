import { createStore, del, delMany, entries, get, keys, set, type UseStore } from 'idb-keyval'
import { isEncoding } from '../../../../src/domain/text/encodings.ts'
import { isLineEnds } from './line-ends.ts'
import type { TextFormat } from './text-format.ts'

/** Unsaved texts, kept in this browser per account and file. */
export interface Drafts {
  read(path: string): Promise<Draft | undefined>
  write(path: string, draft: Draft): Promise<void>
  remove(path: string): Promise<void>
  /** Removes all drafts of the account. */
  clear(): Promise<void>
}

interface DraftsOf {
  readonly baseUrl: string
  readonly userId: number
}

/** Where the browser blocks storage, no draft is found and writing one fails. */
export function createDrafts({ baseUrl, userId }: DraftsOf): Drafts {
  const store = createStore('filemgr-drafts', 'drafts')
  const keyOf = (path: string): string => JSON.stringify([baseUrl, userId, path])
  return {
    async read(path) {
      const kept = await get<unknown>(keyOf(path), store).catch(ignoreBlockedStorage)
      await removeOutdated(store).catch(ignoreBlockedStorage)
      return readDraft(kept)
    },
    write: (path, draft) => set(keyOf(path), draft, store),
    remove: (path) => del(keyOf(path), store).catch(ignoreBlockedStorage),
    async clear() {
      const own = JSON.stringify([baseUrl, userId]).slice(0, -1)
      const all = await keys<string>(store).catch(ignoreBlockedStorage)
      await delMany(
        (all ?? []).filter((key) => key.startsWith(`${own},`)),
        store,
      ).catch(ignoreBlockedStorage)
    },
  }
}

async function removeOutdated(store: UseStore): Promise<void> {
  const now = Date.now()
  for (const [key, value] of await entries<IDBValidKey, unknown>(store)) {
    if (isOutdated(readDraft(value), now)) await del(key, store)
  }
}

function ignoreBlockedStorage(error: unknown): undefined {
  if (error instanceof DOMException) return undefined
  throw error
}

export interface Draft extends TextFormat {
  readonly text: string
  /** Version of the file that the draft is based on. */
  readonly etag: string | null
  /** Milliseconds since 1970. */
  readonly keptAt: number
}

const MAX_AGE = 30 * 24 * 60 * 60 * 1000

/** Validates a stored draft; undefined for anything else, such as a draft of another version of the page. */
export function readDraft(value: unknown): Draft | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { text, etag, keptAt, encoding, lineEnd } = value as Partial<Record<keyof Draft, unknown>>
  if (typeof text !== 'string' || typeof keptAt !== 'number') return undefined
  if (!isEncoding(encoding) || !isLineEnds(lineEnd)) return undefined
  if (etag !== null && typeof etag !== 'string') return undefined
  return { text, etag, keptAt, encoding, lineEnd }
}

/** Whether a draft is invalid or older than 30 days. */
export function isOutdated(draft: Draft | undefined, now: number): boolean {
  return draft === undefined || now - draft.keptAt > MAX_AGE
}
